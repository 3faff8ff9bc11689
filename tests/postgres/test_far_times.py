"""Times at both ends of what an event may have: kept exactly, read in slices, and never read for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core import cli, statements
from lineage_core.errors import NeedsOperator
from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import ingest
from lineage_core.long_migrations import workers as migration
from lineage_core.long_migrations.store import records
from lineage_core.long_migrations.tables import State
from lineage_core.long_migrations.workers import migrate
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.normalize.store.event_choices import interval
from lineage_core.openlineage.identity import run_uuid
from lineage_core.openlineage.instants import FIRST, LAST, instant, microseconds
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading.facets import facets_of_run
from lineage_core.tasks import SerialRunner, ThreadRunner
from lineage_core.testing import facet, run_event, to_json, to_ndjson
from tests.support.stores import contents, differences, empty, put, rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers, pytest.mark.slow]

FLOAT8_ENDS = 1 << 53
"""Microseconds since 1970, of June 2255, past which float8 misses some."""

MANY = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
FEW = settings(MANY, max_examples=8)

TIMES = st.integers(FIRST, LAST) | st.sampled_from([FIRST, -FLOAT8_ENDS, -3_600_000_000, 0, FLOAT8_ENDS, LAST]).flatmap(
    lambda near: st.integers(max(FIRST, near - 5), min(LAST, near + 5))
)
"""All that an event may have, and mostly those near the ends and near where a rounding would show."""


@pytest.fixture
def connection(database: Store) -> Iterator[Connection]:
    with database.connect(autocommit=True) as opened:
        yield opened


def _row(connection: Connection, query: str, *parameters: object) -> tuple[object, ...]:
    row = connection.execute(query.encode(), parameters).fetchone()
    assert row is not None
    return row


@MANY
@given(time=TIMES)
@example(time=FIRST)
@example(time=LAST)
@example(time=microseconds(datetime.fromisoformat("2300-01-01T00:00:00.000001Z")))
def test_python_and_postgres_agree_on_every_time_both_ways(connection: Connection, time: int) -> None:
    moment = instant(time)
    assert microseconds(moment) == time
    assert _row(
        connection,
        "SELECT instant(%s), microseconds(%s::timestamptz), microseconds(instant(%s)), instant(%s) = %s::timestamptz",
        *(time, moment.isoformat(), time, time, moment.isoformat()),
    ) == (moment, time, time, True)


@MANY
@given(time=TIMES)
@example(time=LAST)
def test_the_next_microsecond_is_another_time(connection: Connection, time: int) -> None:
    query = "SELECT instant(%s) < instant(%s), microseconds(instant(%s))"
    assert _row(connection, query, time, time + 1, time + 1) == (True, time + 1)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Copenhagen", "America/Los_Angeles", "Asia/Kathmandu"])
def test_a_time_does_not_depend_on_the_zone_of_the_session(connection: Connection, zone: str) -> None:
    connection.execute("SELECT set_config('timezone', %s, false)", [zone])
    for time in (FIRST, -FLOAT8_ENDS - 1, 0, FLOAT8_ENDS + 1, LAST, LAST + 1):
        assert _row(connection, "SELECT microseconds(instant(%s))", time) == (time,)


@MANY
@given(time=TIMES)
def test_the_order_of_an_event_is_the_same_in_sql(connection: Connection, time: int) -> None:
    document = run_event("COMPLETE", time=instant(time))
    text, identity = _row(
        connection,
        "SELECT convert_to(event::text, 'UTF8'), event_identity(event, %s) FROM (SELECT %s::jsonb) AS one (event)",
        *(instant(time), to_json(document).decode()),
    )
    assert isinstance(text, bytes)
    assert parse(text).order[1:] == identity


REFUSED = (psycopg.errors.CheckViolation, psycopg.errors.DatetimeFieldOverflow)
"""Until PostgreSQL 17 no time can be subtracted from an infinite one, which a generated column does."""


@pytest.mark.parametrize(
    "time", ["infinity", "-infinity", "10000-01-01 00:00:00+00", "0001-12-31 23:59:59.999999+00 BC"]
)
def test_no_row_of_raw_events_has_a_time_that_no_event_may_have(connection: Connection, time: str) -> None:
    with pytest.raises(REFUSED):
        connection.execute("INSERT INTO lineage_events (event_time, event) VALUES (%s, '{}')", [time])


def test_no_partition_of_raw_events_lacks_that_rule(connection: Connection) -> None:
    query = (
        "SELECT count(*) FROM pg_partition_tree('lineage_events') WHERE NOT EXISTS (SELECT FROM pg_constraint"
        " WHERE conrelid = relid AND conname = 'lineage_events_event_time_check' AND convalidated)"
    )
    assert _row(connection, query) == (0,)


def _events(times: list[int]) -> list[dict[str, object]]:
    """A run for each, so that its row tells whether its event was taken in."""
    return [
        run_event("COMPLETE", run_id=f"run {number}", time=instant(time), facets={"custom": facet(number=number)})
        for number, time in enumerate(times)
    ]


def _taken_in(store: Store) -> list[int]:
    return [time for (time,) in rows(store, "SELECT microseconds(event_time) FROM event_ledger ORDER BY 1")]


SETS = st.lists(TIMES, min_size=1, max_size=6).map(lambda times: [*times, LAST, FIRST])


@pytest.mark.slow
@FEW
@given(times=SETS, slice_bytes=st.sampled_from([1, 1 << 20]), cut=TIMES)
@example(times=[LAST, LAST - 1, FLOAT8_ENDS + 1, FLOAT8_ENDS], slice_bytes=1, cut=FLOAT8_ENDS + 1)
def test_an_interval_takes_its_events_in_slices_of_one(
    database: Store, times: list[int], slice_bytes: int, cut: int
) -> None:
    empty(database)
    put(database, _events(times))
    before = normalize(database, SerialRunner(), interval=interval(until=cut), slice_bytes=slice_bytes)
    assert before.events == len([time for time in times if time < cut])
    assert _taken_in(database) == sorted(time for time in times if time < cut)
    behind = normalize(database, SerialRunner(2), interval=interval(since=cut), slice_bytes=slice_bytes)
    assert behind.events == len([time for time in times if time >= cut])
    assert _taken_in(database) == sorted(times)


@pytest.mark.slow
@FEW
@given(times=SETS)
def test_the_migration_of_facets_takes_events_of_every_time_one_by_one(database: Store, times: list[int]) -> None:
    empty(database)
    take_in(database, _events(times))
    wanted = contents(database)
    empty(database)
    put(database, _events(times))
    records.plan(database, "facets")
    for setting in ("smallest_rows", "start_rows", "largest_rows"):
        records.change_setting(database, "facets", setting, "1")
    status = migrate(database, "facets", ThreadRunner())
    assert (status.state, status.done, status.quarantined) == ("finished", len(times), 0)
    assert differences(contents(database), wanted) == {}


def test_an_event_at_either_end_is_ingested_and_its_facets_are_read(database: Store, tmp_path: Path) -> None:
    """The facets are read from the raw event first, then from the table."""
    ends = {"start": FIRST, "end": LAST}
    documents = [run_event(run_id=name, time=instant(time), facets={"custom": facet()}) for name, time in ends.items()]
    (tmp_path / "events.ndjson").write_bytes(to_ndjson(documents))
    assert ingest(database, event_files.find([str(tmp_path)])).events == 2
    for from_raw in (True, False):
        for name, time in ends.items():
            (read,) = facets_of_run(database, UUID(bytes=run_uuid(name)))
            assert (read.lineage_event_time, read.from_raw) == (instant(time), from_raw)
        normalize(database, SerialRunner())


def test_the_command_takes_the_last_time_there_is(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(database, _events([LAST, LAST - 1, FLOAT8_ENDS]))
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    monkeypatch.setattr("lineage_core.spark.application.Application.runner", SerialRunner())
    for arguments, taken in (
        (["--from", "2200-01-01", "--to", "9999-12-31T23:59:59.999999Z"], [FLOAT8_ENDS, LAST - 1]),
        (["--from", "9999-12-31T23:59:59.999999Z"], [FLOAT8_ENDS, LAST - 1, LAST]),
    ):
        with pytest.raises(SystemExit) as ended:
            cli.main(["normalize", *arguments])
        assert ended.value.code == 0
        assert _taken_in(database) == taken


def _listed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cursor that does not move: the events at its place wait once more."""
    read = statements.named

    def script(path: str) -> str:
        text = read(path)
        if path == "normalize/waiting_by_event_time":
            text = re.sub(r"\(event_time, arrival_seq\) > ", "(event_time, arrival_seq) >= ", text)
        if path == "long_migrations/facets/step":
            text = text.replace("event_time > %(after)s", "event_time >= %(after)s")
        return text

    monkeypatch.setattr(statements, "named", script)


def test_a_cursor_that_does_not_move_is_an_error(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(database, _events([LAST, FIRST]))
    _listed_again(monkeypatch)
    with pytest.raises(NeedsOperator, match="for ever"):
        normalize(database, SerialRunner(), interval=interval(), slice_bytes=1)


def test_a_step_of_a_migration_that_does_not_move_is_an_error(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    take_in(database, _events([LAST, 0, FIRST]))
    _listed_again(monkeypatch)
    records.plan(database, "facets")
    for setting in ("smallest_rows", "start_rows", "largest_rows"):
        records.change_setting(database, "facets", setting, "1")
    status = migrate(database, "facets", ThreadRunner())
    assert status.state == "finished"
    errors = [error for (error,) in rows(database, "SELECT DISTINCT error FROM migration_quarantine")]
    assert errors
    assert all("for ever" in error for error in errors)


def test_a_cancel_ends_a_migration_within_a_step(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step may be many merges of the main job, and each looks whether the migration is still to go on."""

    def in_slices_of_one(store: Store, runner: SerialRunner, **named: object) -> NormalizationOutcome:
        outcome = NormalizationOutcome()

        def progress(done: object, so_far: NormalizationOutcome) -> None:
            nonlocal outcome
            outcome = so_far
            merged.append(so_far.events)
            records.stop_work(store, "facets")
            asks(done, so_far)  # type: ignore[operator]

        asks = named.pop("progress")
        return normalize(store, runner, slice_bytes=1, progress=progress, **named)  # type: ignore[arg-type]

    merged: list[int] = []
    put(database, _events([0, 1, 2, LAST]))
    monkeypatch.setattr(migration, "normalize", in_slices_of_one)
    with pytest.raises(NeedsOperator, match="cancelled"):
        migrate(database, "facets", ThreadRunner())
    assert merged == [1]
    assert records.status(database, "facets").state == State.CANCELLED.value
