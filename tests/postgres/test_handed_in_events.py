"""What a login that only ingests can say of an event: the document. All else of its row is the server's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from lineage_core import quarantine
from lineage_core.ingest.store import store
from lineage_core.local.postgres import Server
from lineage_core.model.arrivals import judge
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import dataset_event, job_event, run_event, to_json
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

HAND_IN = "INSERT INTO lineage_events (event_time, event) VALUES (%s, %s::jsonb)"
OF_THE_SERVER = {
    "event_type": "START",
    "job_name": "another",
    "job_namespace": "another",
    "producer": "another",
    "run_uuid": "00000000-0000-0000-0000-000000000001",
    "created_at": "2001-01-01Z",
    "_event_type": "JOB_EVENT",
    "arrived_xid": "9223372036854775807",
    "arrival_seq": "1",
    "is_moved": "true",
}
NEVER_HANDED_IN = {"event_bytes", "is_ahead"}
"""Generated: no one can write them at all."""


@pytest.fixture
def ingesting(database: Store) -> Iterator[Connection]:
    with database.connect(role="lineage_ingest", autocommit=True) as connection:
        yield connection


def _values(event: Any) -> list[str]:
    return [event["eventTime"], json.dumps(event)]


def test_the_columns_tried_here_are_all_that_the_server_says(database: Store) -> None:
    columns = rows(
        database,
        "SELECT attname FROM pg_attribute WHERE attrelid = 'lineage_events'::regclass AND attnum > 0 AND"
        " NOT attisdropped",
    )
    assert {name for (name,) in columns} == {"event_time", "event", *OF_THE_SERVER, *NEVER_HANDED_IN}


@pytest.mark.parametrize("column", OF_THE_SERVER)
def test_what_the_server_says_of_an_event_no_one_who_ingests_can_say(ingesting: Connection, column: str) -> None:
    statement = f"INSERT INTO lineage_events (event_time, event, {column}) VALUES (%s, %s::jsonb, %s)"
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        ingesting.execute(statement.encode(), [*_values(run_event()), OF_THE_SERVER[column]])


def test_a_document_in_quarantine_under_anothers_digest_cannot_be_planted_by_anybody(database: Store) -> None:
    with database.connect() as connection, pytest.raises(psycopg.errors.GeneratedAlways):
        connection.execute(
            "INSERT INTO quarantine (digest, reason, path, raw, source) VALUES (sha256('x'), '', '$', 'y', '')"
        )


@pytest.mark.parametrize(
    ("event", "described"),
    [
        (run_event("complete"), ("RUN_EVENT", "complete", "shop", "load")),
        (run_event(None), ("RUN_EVENT", "", "shop", "load")),
        (job_event() | {"eventType": "START"}, ("JOB_EVENT", None, "shop", "load")),
        (dataset_event(), ("DATASET_EVENT", None, None, None)),
    ],
)
def test_the_server_reads_the_rest_out_of_the_document(
    database: Store, ingesting: Connection, event: Any, described: tuple[Any, ...]
) -> None:
    ingesting.execute(HAND_IN, _values(event))
    assert rows(database, "SELECT _event_type, event_type, job_namespace, job_name FROM lineage_events") == [described]
    assert rows(database, "SELECT arrived_xid = xmin::text::bigint, created_at <= now() FROM lineage_events") == [
        (True, True)
    ]


@pytest.mark.parametrize("time", ["2026-01-02T00:00:00Z", "infinity", "-infinity", "9999-12-31T23:59:59.999999Z"])
def test_an_event_under_another_time_than_its_own_goes_to_quarantine_and_those_beside_it_do_not(
    database: Store, ingesting: Connection, time: str
) -> None:
    good, bad = run_event("START"), run_event("COMPLETE")
    with ingesting.cursor() as cursor:
        cursor.execute(
            "INSERT INTO lineage_events (event_time, event) VALUES (%s, %s::jsonb), (%s, %s::jsonb)",
            [*_values(good), time, json.dumps(bad)],
        )
    assert rows(database, "SELECT event FROM lineage_events") == [(good,)]
    (kept,) = quarantine.entries(database)
    assert (kept.path, kept.source) == ("$.eventTime", "lineage_events")
    assert json.loads(quarantine.raw(database, kept.id)) == bad


@pytest.mark.parametrize("event", [{}, [], 1, "text", None, {"eventTime": 1}, {"eventTime": "now"}])
def test_a_document_without_a_time_goes_to_quarantine_whatever_time_it_comes_with(
    database: Store, ingesting: Connection, event: Any
) -> None:
    ingesting.execute(HAND_IN, ["2026-01-01Z", json.dumps(event)])
    assert rows(database, "SELECT FROM lineage_events") == []
    assert len(quarantine.entries(database)) == 1


def test_a_future_event_cannot_pass_for_a_present_one(database: Store, ingesting: Connection) -> None:
    ahead = run_event(time="2999-01-01T00:00:00Z")
    ingesting.execute(HAND_IN, _values(ahead))
    ingesting.execute(HAND_IN, ["2026-01-01Z", json.dumps(ahead | {"note": 1})])
    assert rows(database, "SELECT is_ahead FROM lineage_events") == [(True,)]


def test_settings_of_a_session_change_nothing_of_what_the_server_says(database: Store, ingesting: Connection) -> None:
    ingesting.execute("SET search_path = pg_temp; SET timezone = 'Pacific/Auckland'; SET DateStyle = 'SQL, DMY'")
    ingesting.execute(
        "INSERT INTO public.lineage_events (event_time, event) VALUES ('2026-01-01Z', %s::jsonb)",
        [json.dumps(run_event(time="2026-01-01T00:00"))],
    )
    assert rows(database, "SELECT event_time = '2026-01-01Z' FROM lineage_events") == [(True,)]


FOREIGN = (
    "INSERT INTO lineage_events (event_time, event, arrived_xid, arrival_seq)"
    " VALUES ('2026-01-01Z', %s::jsonb, 3, -1), ('2026-01-01Z', %s::jsonb, 9223372036854775807, -1)"
)


@pytest.mark.parametrize("role", ["origin", "replica"])
def test_no_one_at_all_brings_arrival_numbers(database: Store, postgres_server: Server, role: str) -> None:
    """As INSERT … SELECT * out of another store would, a dump of data alone, and a subscription."""
    with connect(make_conninfo(database.dsn, user="postgres")) as connection:
        connection.execute("SELECT set_config('session_replication_role', %s, true)", [role])
        connection.execute(FOREIGN, [json.dumps(run_event("START")), json.dumps(run_event("COMPLETE"))])
    marks = rows(database, "SELECT arrived_xid = xmin::text::bigint, arrival_seq > 0 FROM lineage_events")
    assert marks == [(True, True)] * 2
    assert normalize(database, SerialRunner()).events == 2


def test_the_setting_by_which_moved_rows_keep_their_numbers_helps_no_one_who_ingests(
    database: Store, ingesting: Connection
) -> None:
    ingesting.execute("SET lineage.moves_events = 'on'")
    with pytest.raises(psycopg.errors.NotNullViolation):
        ingesting.execute(HAND_IN, _values(run_event()))
    assert rows(database, "SELECT FROM lineage_events") == []


def test_a_row_that_an_update_moves_to_another_partition_keeps_its_number_if_it_says_so(database: Store) -> None:
    with database.connect(autocommit=True) as connection:
        connection.execute(HAND_IN, _values(run_event()))
        connection.execute(
            "SELECT create_event_partition('2024-01-01Z', false), attach_event_partition('2024-01-01Z', false)"
        )
        before = rows(database, "SELECT arrived_xid, arrival_seq, created_at FROM lineage_events")
        connection.execute("SET lineage.moves_events = 'on'")
        connection.execute("UPDATE lineage_events SET event_time = '2024-01-01Z'")
    assert rows(database, "SELECT arrived_xid, arrival_seq, created_at FROM lineage_events_2024_01") == before


def test_what_the_server_sets_aside_is_kept_as_it_came_and_counted(database: Store) -> None:
    """If ever the server read another time in a document than we do."""
    with database.connect(autocommit=True) as connection:
        connection.execute(
            "CREATE OR REPLACE FUNCTION event_instant(written text) RETURNS timestamptz LANGUAGE sql"
            " RETURN CASE WHEN written NOT LIKE '2027%' THEN '2026-01-01Z'::timestamptz END"
        )
    documents = [b" " + to_json(run_event(time=time)) for time in ("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")]
    with database.connect(role="lineage_ingest", autocommit=True) as connection:
        assert store(connection, [judge(document, "test") for document in documents]) == 1
    (kept,) = quarantine.entries(database)
    assert (kept.path, kept.source, quarantine.raw(database, kept.id)) == ("$.eventTime", "test", documents[1])
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(1,)]
