"""What is published of a stream: the net changes of transactions, once."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.declare.streams import all_streams, captured_tables
from lineage_core.errors import NeedsOperator, TryAgain
from lineage_core.local.postgres import Server
from lineage_core.normalize.store.rebase import rebase
from lineage_core.postgres.connection import connect
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.streams import reading, states, verification
from lineage_core.streams.publication import PublicationOutcome, publish
from lineage_core.streams.store import heads, switches
from lineage_core.tasks import DeferredRunner, TaskRunner
from lineage_core.testing import TIME, Document, dataset, facet, run_event
from tests.support.changes import start_all
from tests.support.stores import rows, take_in
from tests.support.stream_replay import all_stored, comparable, differing_streams, last_of

pytestmark = pytest.mark.postgres

STREAMS = {stream.name: stream for stream in all_streams()}
TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), %s)"


def _events(hours: int) -> list[Document]:
    lineage = {"inputFields": [{"namespace": "postgres://shop:5432", "name": "orders", "field": "id"}]}
    return [
        run_event(
            kind,
            run_id=f"0190a0a0-0000-7000-8000-0000000000{hour:02}",
            time=TIME + timedelta(hours=hour),
            facets={"mine": facet(hour=hour)},
            inputs=[dataset("orders", fields=[("id", "INT"), (f"c{hour}", "INT")])],
            outputs=[
                dataset(
                    "sums",
                    fields=[("id", "INT")],
                    facets={"columnLineage": facet(fields={"id": lineage}), "empty": facet(text="")},
                )
            ],
        )
        for hour in range(hours)
        for kind in ("START", "COMPLETE")
    ]


def _publish(store: Store, root: Path) -> PublicationOutcome:
    return publish(store, str(root))


def _records(store: Store, root: Path, stream: str) -> list[dict[str, Any]]:
    with store.connect() as connection:
        found = heads.parts(connection, stream)
    return [record for part in found for record in pq.read_table(root / part.path).to_pylist()]


def _operations(store: Store, root: Path, stream: str) -> list[tuple[int, str]]:
    return [(record["op"], record["name"]) for record in _records(store, root, stream)]


def test_a_stream_begins_with_what_its_table_has(database: Store, tmp_path: Path) -> None:
    take_in(database, _events(3))
    start_all(database)
    outcome = _publish(database, tmp_path)
    assert outcome.starting == ()
    assert {one.stream for one in outcome.streams} == {name for name, there in all_stored(database).items() if there}
    assert differing_streams(database, tmp_path) == {}
    assert {record["op"] for name in STREAMS for record in _records(database, tmp_path, name)} == {0}


def test_a_repeat_publishes_nothing(database: Store, tmp_path: Path) -> None:
    start_all(database)
    take_in(database, _events(2))
    assert _publish(database, tmp_path).records
    files = sorted(tmp_path.rglob("*.parquet"))
    assert _publish(database, tmp_path).streams == ()
    take_in(database, _events(2))
    published = _publish(database, tmp_path)
    assert {one.stream for one in published.streams} == {"lineage_events"}
    assert len(sorted(tmp_path.rglob("*.parquet"))) == len(files) + 1


class NotHere(Exception):
    """The runner was asked for."""


def _raise_not_here() -> TaskRunner:
    raise NotHere


_NOT_HERE = DeferredRunner(_raise_not_here)


def test_few_changes_are_written_where_the_publication_runs(database: Store, tmp_path: Path) -> None:
    start_all(database)
    with pytest.raises(NotHere):  # no one has counted what a stream begins with
        publish(database, str(tmp_path), _NOT_HERE, few=1_000)
    publish(database, str(tmp_path))
    take_in(database, _events(1))
    with pytest.raises(NotHere):
        publish(database, str(tmp_path), _NOT_HERE, few=2)
    assert publish(database, str(tmp_path), _NOT_HERE, few=1_000).records
    assert differing_streams(database, tmp_path) == {}


def test_a_late_event_publishes_corrections(database: Store, tmp_path: Path) -> None:
    start_all(database)
    events = _events(3)
    take_in(database, events[2:])
    _publish(database, tmp_path)
    take_in(database, events[:2])
    _publish(database, tmp_path)
    assert {record["op"] for name in STREAMS for record in _records(database, tmp_path, name)} >= {0, 2, 3}
    assert differing_streams(database, tmp_path) == {}


def test_what_retention_removes_is_retracted(database: Store, tmp_path: Path) -> None:
    start_all(database)
    take_in(database, _events(2))
    _publish(database, tmp_path)
    retention.apply(database, retention.plan(database, datetime.now(UTC), emptied="*"))
    _publish(database, tmp_path)
    assert rows(database, "SELECT count(*) FROM runs") == [(0,)]
    assert {record["op"] for record in _records(database, tmp_path, "run_facets")} == {0, 1}
    assert differing_streams(database, tmp_path).keys() <= {"lineage_events"}


def test_contents_that_are_gone_are_retracted_with_what_they_stated(database: Store, tmp_path: Path) -> None:
    """Events come and go between two publications, their facets too."""
    start_all(database)
    _publish(database, tmp_path)
    take_in(database, _events(2))
    retention.apply(database, retention.plan(database, datetime.now(UTC), emptied="*"))
    assert rows(database, "SELECT count(*) FROM event_ledger") == [(0,)]
    _publish(database, tmp_path)
    facets = _records(database, tmp_path, "run_facets")
    assert len([record for record in facets if record["op"] == 0]) == len(facets) / 2 > 0
    assert {record["name"] for record in facets} >= {"mine"}


def test_the_net_of_a_transaction_counts(database: Store, tmp_path: Path) -> None:
    """Rows that go and come again, and states that are not true, are no one's business."""
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    _publish(database, tmp_path)
    with database.connect() as connection:
        connection.execute("UPDATE tags SET created_at = 'infinity'")
        connection.execute("CREATE TEMP TABLE kept AS SELECT * FROM tags")
        connection.execute("DELETE FROM tags")
        connection.execute("INSERT INTO tags SELECT * FROM kept")
        connection.execute("UPDATE tags SET created_at = '2026-01-01', description = 'sky'")
        connection.execute(TAG, ["red"])
        connection.execute("DELETE FROM tags WHERE name = 'red'")
    _publish(database, tmp_path)
    assert _operations(database, tmp_path, "tags") == [(0, "blue"), (2, "blue"), (3, "blue")]


def test_what_comes_to_nothing_publishes_nothing_and_is_forgotten(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    _publish(database, tmp_path)
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
        connection.execute("DELETE FROM tags")
    assert _publish(database, tmp_path).streams == ()
    assert rows(database, "SELECT count(*) FROM changes.tags") == [(0,)]


def test_an_infinite_time_is_published_as_far_as_it_goes(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
        connection.execute("UPDATE tags SET created_at = 'infinity'")
    _publish(database, tmp_path)
    with database.connect() as connection:
        (part,) = heads.parts(connection, "tags")
    read = pq.read_table(tmp_path / part.path)
    assert read.column("created_at").cast("int64").to_pylist() == [2**63 - 1]


def test_texts_come_out_as_they_went_in(database: Store, tmp_path: Path) -> None:
    names = ["", "a,b", 'say "hi"', "two\nlines\r\n", "\\N", "NULL", "ünï", " padded "]
    switches.start(database, "tags")
    with database.connect() as connection:
        for name in names:
            connection.execute(TAG, [name])
        connection.execute("UPDATE tags SET description = '' WHERE name = 'NULL'")
        connection.execute("UPDATE tags SET created_at = '-infinity' WHERE name = ''")
    _publish(database, tmp_path)
    switches.stop(database, "tags")
    switches.start(database, "tags")
    assert _publish(database, tmp_path).streams == ()
    with database.connect() as connection:
        connection.execute("DELETE FROM tags WHERE name = ''")
    _publish(database, tmp_path)
    read = reading.records(database, str(tmp_path), "tags")
    found = {record["name"]: record["description"] for record in read}
    assert found == {name: "" if name == "NULL" else None for name in names}


def test_a_change_of_the_key_is_a_retraction_and_an_append(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    _publish(database, tmp_path)
    with database.connect() as connection:
        connection.execute("UPDATE tags SET uuid = gen_random_uuid()")
    _publish(database, tmp_path)
    assert sorted(op for op, _ in _operations(database, tmp_path, "tags")[1:]) == [0, 1]
    assert differing_streams(database, tmp_path).keys() <= STREAMS.keys() - {"tags"}


def test_a_stream_that_was_off_begins_again_with_what_has_changed(database: Store, tmp_path: Path) -> None:
    start_all(database)
    events = _events(4)
    take_in(database, events[4:])
    _publish(database, tmp_path)
    for name in STREAMS:
        switches.stop(database, name)
    take_in(database, events[:4])
    assert _publish(database, tmp_path).streams == ()
    start_all(database)
    assert _publish(database, tmp_path).records
    assert differing_streams(database, tmp_path) == {}
    take_in(database, _events(5))
    _publish(database, tmp_path)
    assert differing_streams(database, tmp_path) == {}


def test_a_stream_waits_for_those_who_may_have_missed_its_start(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction has changed a row before; another has only looked, and changes one later, not captured."""
    monkeypatch.setattr("lineage_core.streams.publication.SETTLING_SECONDS", 0.2)
    with database.connect() as writer, database.connect() as looker:
        writer.execute(TAG, ["blue"])
        looker.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        looker.execute("SELECT count(*) FROM tags")
        switches.start(database, "tags")
        assert _publish(database, tmp_path).starting == ("tags",)
        writer.commit()
        assert _publish(database, tmp_path).starting == ("tags",)
        looker.execute(TAG, ["red"])
        looker.commit()
        assert _publish(database, tmp_path).starting == ()
    assert sorted(_operations(database, tmp_path, "tags")) == [(0, "blue"), (0, "red")]


def test_a_transaction_that_commits_late_is_not_missed(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    _publish(database, tmp_path)
    with database.connect() as slow:
        slow.execute(TAG, ["slow"])
        with database.connect() as fast:
            fast.execute(TAG, ["fast"])
        _publish(database, tmp_path)
        assert _operations(database, tmp_path, "tags") == [(0, "fast")]
        slow.commit()
    _publish(database, tmp_path)
    assert _operations(database, tmp_path, "tags") == [(0, "fast"), (0, "slow")]


def test_a_transaction_that_changes_the_row_of_another_comes_after_it(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    _publish(database, tmp_path)
    with database.connect() as slow:
        slow.execute(TAG, ["slow"])
        with database.connect() as fast:
            fast.execute(TAG, ["fast"])
        slow.execute("UPDATE tags SET description = 'later' WHERE name = 'fast'")
    _publish(database, tmp_path)
    of_one = [op for op, name in _operations(database, tmp_path, "tags") if name == "fast"]
    assert of_one == [0, 2, 3], "the slow transaction began first, and its change of this row was the last"


def test_changes_that_are_published_are_forgotten(database: Store, tmp_path: Path) -> None:
    start_all(database)
    take_in(database, _events(2))
    _publish(database, tmp_path)
    changes = "SELECT relname FROM pg_class WHERE relnamespace = 'changes'::regnamespace AND relkind = 'r'"
    for (table,) in rows(database, changes):
        assert rows(database, f"SELECT count(*) FROM changes.{table}") == [(0,)], table


def test_a_table_without_a_key_has_the_retract_form(database: Store, tmp_path: Path) -> None:
    start_all(database)
    events = _events(3)
    take_in(database, events[:2])
    _publish(database, tmp_path)
    take_in(database, events[2:])
    _publish(database, tmp_path)
    keyless = {name for name, stream in STREAMS.items() if not stream.key}
    assert keyless == {
        "job_versions_io_mapping",
        "stream_versions",
        "run_facets",
        "job_facets",
        "dataset_facets",
        "lineage_events",
    }
    assert {record["op"] for name in keyless for record in _records(database, tmp_path, name)} <= {0, 1}
    assert last_of(database, tmp_path, STREAMS["job_versions_io_mapping"])


def test_a_time_that_no_calendar_has_can_be_read(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
        connection.execute("UPDATE tags SET created_at = '-infinity'")
    _publish(database, tmp_path)
    (record,) = reading.records(database, str(tmp_path), "tags")
    assert record["created_at"] == -(2**63) + 1
    assert states.write_replayed(database, str(tmp_path), "tags", tmp_path / "state.parquet") == 1


def test_the_replayed_rows_are_those_of_the_table(database: Store, tmp_path: Path) -> None:
    start_all(database)
    events = _events(3)
    for some in (events[4:], events[:2], events[2:4]):
        take_in(database, some)
        _publish(database, tmp_path)
    for name, there in all_stored(database).items():
        to = tmp_path / f"{name}.parquet"
        assert states.write_replayed(database, str(tmp_path), name, to) == there.total()
        rows = pq.read_table(to).drop_columns(["event_time"]).to_pylist()
        assert Counter(tuple(map(comparable, row.values())) for row in rows) == there, name


def test_what_commits_while_a_publication_is_at_work_is_in_the_next_one(database: Store, tmp_path: Path) -> None:
    """Its changes are there when those that were published are removed."""
    switches.start(database, "tags")
    _publish(database, tmp_path)
    with database.connect() as connection:
        connection.execute(TAG, ["seen"])
    move = heads.move

    def move_and_change(*given: Any) -> None:
        move(*given)
        with database.connect() as connection:
            connection.execute(TAG, ["not seen"])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(heads, "move", move_and_change)
        assert _publish(database, tmp_path).records == 1
    assert _publish(database, tmp_path).records == 1
    assert "tags" not in differing_streams(database, tmp_path)


def test_a_stream_is_verified(database: Store, tmp_path: Path) -> None:
    start_all(database)
    take_in(database, _events(2))
    _publish(database, tmp_path)
    take_in(database, _events(3))
    for name in STREAMS:
        found = verification.verify(database, str(tmp_path), name)
        assert (found.faults, found.is_compared) == ([], True), name
    with database.connect() as connection:
        connection.execute("ALTER TABLE tags DISABLE TRIGGER tags_capture_insert")
        connection.execute(TAG, ["unseen"])
    assert verification.verify(database, str(tmp_path), "tags").faults == ["1 rows of the table are not in the stream"]


def test_a_stream_that_is_off_is_not_compared_with_its_table(database: Store, tmp_path: Path) -> None:
    """Nothing of the table is captured then, and the next start publishes what differs."""
    switches.start(database, "tags")
    assert not verification.verify(database, str(tmp_path), "tags").is_compared
    _publish(database, tmp_path)
    switches.stop(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["unseen"])
    found = verification.verify(database, str(tmp_path), "tags")
    assert (found.faults, found.is_compared) == ([], False)
    switches.start(database, "tags")
    _publish(database, tmp_path)
    assert verification.verify(database, str(tmp_path), "tags").is_compared


def test_what_is_wrong_with_files_is_found(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    _publish(database, tmp_path)
    (part,) = tmp_path.rglob("*.parquet")
    orphan = part.with_name("orphan.parquet")
    orphan.write_bytes(part.read_bytes())
    found = verification.verify(database, str(tmp_path), "tags")
    assert (found.faults, found.orphans) == ([], ["orphan.parquet"])
    part.write_bytes(part.read_bytes()[:-1])
    (fault,) = verification.verify(database, str(tmp_path), "tags").faults
    assert "is damaged" in fault
    part.unlink()
    (fault,) = verification.verify(database, str(tmp_path), "tags").faults
    assert "it is not there" in fault


def test_who_waits_for_a_record_learns_of_it(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    with pytest.raises(TryAgain, match="none of offset 0 yet"):
        reading.wait_for(database, "tags", 0, 0)
    with database.connect() as connection:
        connection.execute(TAG, ["blue"])
    _publish(database, tmp_path)
    reading.wait_for(database, "tags", 0, 0)
    assert [record["name"] for record in reading.records(database, str(tmp_path), "tags")] == ["blue"]
    assert list(reading.records(database, str(tmp_path), "tags", since=1)) == []
    assert reading.describe(database, str(tmp_path), "tags").next_offset == 1


def test_contents_that_came_again_count_once(database: Store, tmp_path: Path) -> None:
    """Removed by retention, and stated again by a later event before anything was published."""
    start_all(database)
    _publish(database, tmp_path)
    take_in(database, _events(1))
    retention.apply(database, retention.plan(database, datetime.now(UTC), emptied="*"))
    again = [event | {"run": event["run"] | {"runId": "0190a0a0-0000-7000-8000-000000000099"}} for event in _events(1)]
    later = (datetime.now(UTC) + timedelta(hours=1)).isoformat()
    take_in(database, [event | {"eventTime": later} for event in again])
    assert rows(database, "SELECT count(*) > 0 FROM changes.facets JOIN facets USING (uuid)") == [(True,)]
    _publish(database, tmp_path)
    assert differing_streams(database, tmp_path).keys() <= {"lineage_events"}


def test_a_purged_mention_has_no_facets(database: Store, tmp_path: Path) -> None:
    start_all(database)
    take_in(database, _events(2))
    _publish(database, tmp_path)
    with database.connect() as connection:
        connection.execute("UPDATE dataset_mentions SET is_purged = true WHERE role = 2")
    _publish(database, tmp_path)
    assert "dataset_facets" not in differing_streams(database, tmp_path)
    assert 1 in {record["op"] for record in _records(database, tmp_path, "dataset_facets")}


def test_a_stream_that_was_restored_into_another_cluster_begins_again(database: Store, tmp_path: Path) -> None:
    """The numbers of transactions there mean nothing here, and may be higher than any."""
    start_all(database)
    take_in(database, _events(1))
    _publish(database, tmp_path)
    take_in(database, _events(2))
    with database.connect() as connection:
        connection.execute("UPDATE stream_heads SET system_identifier = 1, published = '1:1:'")
        for captured in captured_tables():
            connection.execute(f"UPDATE changes.{captured.table.name} SET change_xid = '99999999999'".encode())
    assert _publish(database, tmp_path).records
    assert differing_streams(database, tmp_path) == {}
    assert _publish(database, tmp_path).streams == ()


def test_each_role_does_its_own(database: Store, tmp_path: Path, postgres_server: Server) -> None:
    """An operator starts and stops, the login of the jobs publishes, a reader reads; none does the other's."""
    logins = {}
    for purpose in ("operator", "jobs", "reader"):
        name = f"streams_{purpose}"
        postgres_server.run_sql(
            f"DROP ROLE IF EXISTS {name}; CREATE ROLE {name} LOGIN PASSWORD 'x' IN ROLE lineage_{purpose};"
        )
        logins[purpose] = make_conninfo(database.dsn, user=name, password="x", passfile="")
    switches.start(Store(logins["operator"]), "tags")
    with connect(logins["operator"]) as connection:
        connection.execute(TAG, ["blue"])
    assert publish(Store(logins["jobs"]), str(tmp_path)).records == 1
    assert [one["name"] for one in reading.records(Store(logins["reader"]), str(tmp_path), "tags")] == ["blue"]
    assert verification.verify(Store(logins["reader"]), str(tmp_path), "tags").faults == []
    with pytest.raises(NeedsOperator, match="takes the role lineage_operator"):
        switches.start(Store(logins["reader"]), "runs")
    with pytest.raises(NeedsOperator, match="takes the role lineage_jobs"):
        publish(Store(logins["operator"]), str(tmp_path))


def test_a_login_that_is_no_superuser_sees_who_may_have_missed_a_start(
    database: Store, tmp_path: Path, postgres_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lineage_core.streams.publication.SETTLING_SECONDS", 0.2)
    postgres_server.run_sql(
        "DROP ROLE IF EXISTS streams_jobs; CREATE ROLE streams_jobs LOGIN PASSWORD 'x' IN ROLE lineage_jobs;"
    )
    login = Store(make_conninfo(database.dsn, user="streams_jobs", password="x", passfile=""))
    with database.connect() as looker:
        looker.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        looker.execute("SELECT count(*) FROM tags")
        switches.start(database, "tags")
        assert publish(login, str(tmp_path)).starting == ("tags",)
    assert publish(login, str(tmp_path)).starting == ()


def test_a_part_that_cannot_be_written_ends_the_publication(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With most of the records still on their way; the next publication publishes all."""
    take_in(database, _events(3))
    start_all(database)
    monkeypatch.setattr("lineage_core.streams.store.changes.CHUNK_RECORDS", 1)
    tmp_path.joinpath("dataset_fields").write_text("in the way of a folder")
    with pytest.raises(TryAgain, match="cannot be used now"):
        _publish(database, tmp_path)
    tmp_path.joinpath("dataset_fields").unlink()
    _publish(database, tmp_path)
    assert differing_streams(database, tmp_path) == {}


def test_restored_raw_events_are_not_appended_again(database: Store, tmp_path: Path) -> None:
    """Normalization gives them new arrival numbers, as if they had come just now."""
    switches.start(database, "lineage_events")
    take_in(database, _events(1))
    _publish(database, tmp_path)
    with database.connect() as connection:
        for table in ("stream_heads", "watermarks"):
            connection.execute(f"UPDATE {table} SET system_identifier = 1".encode())
        connection.execute("UPDATE lineage_events SET arrived_xid = 99999999999")
    assert _publish(database, tmp_path).starting == ("lineage_events",)
    assert rebase(database).was_needed
    assert _publish(database, tmp_path).starting == ("lineage_events",)
    take_in(database, _events(2)[2:])
    assert _publish(database, tmp_path).records == 2
    assert differing_streams(database, tmp_path).keys().isdisjoint({"lineage_events"})


def test_a_list_is_the_same_when_its_stream_begins_again(database: Store, tmp_path: Path) -> None:
    aliases = ["a", "", "ünï", 'q"\\', "two\nlines", "\x01/", None]
    take_in(database, _events(1))
    with database.connect() as connection:
        connection.execute("UPDATE jobs SET aliases = %s", [aliases])
    switches.start(database, "jobs")
    _publish(database, tmp_path)
    switches.stop(database, "jobs")
    switches.start(database, "jobs")
    assert _publish(database, tmp_path).streams == ()
    assert [record["aliases"] for record in _records(database, tmp_path, "jobs")] == [aliases]


def test_a_stream_that_this_release_does_not_have_stops_no_other(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute("INSERT INTO streams (name) VALUES ('moons')")
        connection.execute(TAG, ["blue"])
    with pytest.raises(NeedsOperator, match="no stream moons"):
        _publish(database, tmp_path)
    assert _operations(database, tmp_path, "tags") == [(0, "blue")]
    assert switches.stop(database, "moons")
    assert _publish(database, tmp_path).streams == ()
