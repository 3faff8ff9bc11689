"""Changes are captured in the transaction that makes them, whoever makes them, while a stream is on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from lineage_core import namespaces
from lineage_core.declare.streams import all_streams, captured_tables
from lineage_core.errors import WrongUsage
from lineage_core.local.postgres import ROLE, Server
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.streams.store import switches
from lineage_core.testing import TIME, dataset, run_event
from tests.support.changes import captured_net, start_all, stored_images
from tests.support.servers import jobs_login
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), %s)"
CHANGES = [captured.table.name for captured in captured_tables()]
ROW_STREAMS = [captured.table.name for captured in captured_tables() if not captured.is_content]


def _events(hours: int) -> list[dict[str, object]]:
    return [
        run_event(
            kind,
            run_id=f"0190a0a0-0000-7000-8000-0000000000{hour:02}",
            time=TIME + timedelta(hours=hour),
            inputs=[dataset("orders", fields=[("id", "INT"), (f"c{hour}", "INT")])],
            outputs=[dataset("sums", fields=[("id", "INT")])],
        )
        for hour in range(hours)
        for kind in ("START", "COMPLETE")
    ]


def _count(store: Store, table: str) -> int:
    ((found,),) = rows(store, f"SELECT count(*) FROM changes.{table}")
    return int(found)


def test_nothing_is_captured_while_streams_are_off(database: Store) -> None:
    take_in(database, _events(2))
    assert [table for table in CHANGES if _count(database, table)] == []


def test_merges_and_retention_leave_the_tables_as_the_net_of_what_is_captured(database: Store) -> None:
    with database.connect() as connection:
        connection.execute("DELETE FROM namespaces")
    start_all(database)
    events = _events(4)
    take_in(database, events[4:])
    take_in(database, events[:4])
    namespaces.own(database, "shop", "ann")
    for _ in range(2):
        assert {name: captured_net(database, name) - stored_images(database, name) for name in ROW_STREAMS} == {
            name: {} for name in ROW_STREAMS
        }
        assert {name: stored_images(database, name) - captured_net(database, name) for name in ROW_STREAMS} == {
            name: {} for name in ROW_STREAMS
        }
        retention.apply(database, retention.plan(database, datetime.now(UTC), emptied="*"))
    assert rows(database, "SELECT count(*) FROM runs") == [(0,)]
    assert _count(database, "runs") > 0


@pytest.mark.parametrize("role", [None, "lineage_operator", "lineage_jobs"])
def test_whoever_changes_a_row_is_captured(database: Store, role: str | None) -> None:
    switches.start(database, "tags")
    with database.connect(role=role) as connection:
        connection.execute(TAG, ["blue"])
    assert [copies for copies in captured_net(database, "tags").values()] == [1]


def test_what_cancels_out_in_a_statement_is_not_captured(database: Store) -> None:
    """Most updates say when something was last heard of, which no stream has."""
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
        connection.execute("UPDATE tags SET updated_at = updated_at + interval '1 day'")
    assert _count(database, "tags") == 1


def test_a_document_that_is_written_otherwise_is_another(database: Store) -> None:
    """For Postgres the two are equal, but a replay has to give what is there."""
    switches.start(database, "dataset_versions")
    with database.connect() as connection:
        connection.execute(
            "INSERT INTO dataset_versions (uuid, created_at, version, fields)"
            " VALUES (gen_random_uuid(), '2026-01-01Z', gen_random_uuid(), '[1.0]')"
        )
        connection.execute("UPDATE dataset_versions SET fields = '[1.00]'")
    assert captured_net(database, "dataset_versions") == stored_images(database, "dataset_versions")


def test_of_contents_only_what_goes_is_captured(database: Store) -> None:
    start_all(database)
    with database.connect() as connection:
        connection.execute("INSERT INTO facets (uuid, name, facet) VALUES (gen_random_uuid(), 'a', '{}')")
        connection.execute("UPDATE facets SET name = 'b'")
    assert _count(database, "facets") == 0
    with database.connect() as connection:
        connection.execute("DELETE FROM facets")
    assert rows(database, "SELECT name, facet, copies FROM changes.facets") == [("b", "{}", -1)]


def test_no_one_else_lets_anything_be_captured(database: Store, postgres_server: Server) -> None:
    """What captures may do what its owner may: on a table of somebody else it would write changes that never were."""
    with psycopg.connect(jobs_login(postgres_server, database).dsn) as connection:
        connection.execute("CREATE TEMP TABLE tags (name text)")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="capture_changes"):
            connection.execute(
                "CREATE TRIGGER forged AFTER INSERT ON tags REFERENCING NEW TABLE AS new_rows"
                " FOR EACH STATEMENT EXECUTE FUNCTION public.capture_changes('{tags}', '{name}', '{}')"
            )


def test_what_does_not_commit_is_not_captured(database: Store) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
        connection.rollback()
        with connection.transaction(force_rollback=True):
            connection.execute(TAG, ["red"])
    assert _count(database, "tags") == 0


def test_rows_that_go_with_others_are_captured(database: Store) -> None:
    start_all(database)
    take_in(database, _events(1))
    assert captured_net(database, "runs_input_mapping") != {}
    with database.connect() as connection:
        connection.execute("DELETE FROM dataset_versions")
    assert captured_net(database, "dataset_versions") == {}
    assert captured_net(database, "runs_input_mapping") == {}


def test_to_truncate_a_table_is_to_remove_its_rows(database: Store) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
        connection.execute("TRUNCATE tags CASCADE")
    assert captured_net(database, "tags") == {}
    assert _count(database, "tags") == 2


def test_a_stopped_stream_captures_nothing(database: Store) -> None:
    assert switches.start(database, "tags")
    assert not switches.start(database, "tags")
    assert switches.stop(database, "tags")
    assert not switches.stop(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    assert _count(database, "tags") == 0


def test_the_second_of_two_who_change_a_row_has_the_higher_number(database: Store) -> None:
    """Although its transaction began first, and had changed something else before."""
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    with database.connect() as first, database.connect() as second:
        second.execute(TAG, ["red"])
        first.execute("UPDATE tags SET description = 'first' WHERE name = 'blue'")
        first.commit()
        second.execute("UPDATE tags SET description = 'second' WHERE name = 'blue'")
    images = "SELECT description FROM changes.tags WHERE name = 'blue' AND copies > 0 ORDER BY change_number"
    assert rows(database, images) == [(None,), ("first",), ("second",)]


def test_no_one_waits_for_a_lock_that_capture_takes(database: Store) -> None:
    """Two transactions that change other rows of the same tables stand side by side, whoever commits first."""
    switches.start(database, "tags")
    with database.connect() as first, database.connect() as second:
        for connection, names in ((first, ("a", "b")), (second, ("c", "d"))):
            connection.execute("SET LOCAL lock_timeout = '1s'")
            for name in names:
                connection.execute(TAG, [name])
        second.commit()
        first.commit()
    assert _count(database, "tags") == 4


def test_an_unknown_stream_is_named(database: Store) -> None:
    with pytest.raises(WrongUsage, match="no stream 'leases'"):
        switches.start(database, "leases")


def test_no_bookkeeping_has_a_stream() -> None:
    platform = {"leases", "watermarks", "quarantine", "event_ledger", "dataset_mentions", "facets", "streams"}
    assert platform & {stream.name for stream in all_streams()} == set()


@contextmanager
def _may_be_a_replica(server: Server) -> Iterator[None]:
    """Taken back at the end, as the server is that of other tests, too."""
    server.run_sql(f"GRANT SET ON PARAMETER session_replication_role TO {ROLE};")
    try:
        yield
    finally:
        server.run_sql(f"REVOKE SET ON PARAMETER session_replication_role FROM {ROLE};")


def test_anybodys_session_captures_the_same(database: Store, postgres_server: Server) -> None:
    """Also one that takes itself for a replica, and says times and bytes in its own way."""
    start_all(database)
    with _may_be_a_replica(postgres_server), psycopg.connect(database.dsn) as hostile:
        for setting in (
            "timezone = 'Asia/Tokyo'",
            "datestyle = 'SQL, DMY'",
            "bytea_output = 'escape'",
            "search_path = pg_temp",
            "transform_null_equals = on",
            "session_replication_role = replica",
        ):
            hostile.execute(f"SET {setting}".encode())
        hostile.execute(
            "INSERT INTO public.dataset_versions (uuid, created_at, version, fields)"
            " VALUES (gen_random_uuid(), '2026-01-01Z', gen_random_uuid(), '[{\"name\": 1.00}]')"
        )
    assert captured_net(database, "dataset_versions") == stored_images(database, "dataset_versions")
    assert captured_net(database, "dataset_versions").total() == 1
