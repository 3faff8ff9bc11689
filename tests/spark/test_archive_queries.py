"""SQL of what has left Postgres: the same views' names on Spark, by `lineage archive query`, and in DuckDB."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest
from pyspark.sql import SparkSession

from lineage_core.archive.command import frames_of
from lineage_core.archive.duckdb_views import script
from lineage_core.archive.named_relations import NamedRelations
from lineage_core.archive.relations import event_relations
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.retention.archived_sets import archived_sets
from lineage_core.retention.archiving import archive_expired
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.restoring import restore
from lineage_core.retention.store.policies import holds, release_hold
from lineage_core.retention.tables import PolicyKind
from lineage_core.spark.sql_queries import queried_rows
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches
from lineage_core.tasks import SerialRunner
from lineage_core.testing import TIME, dataset, run_event
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

PROGRAMS = Path(sys.executable).parent
AS_OF = datetime(2026, 6, 1, tzinfo=UTC)
COLUMNS = "event_time, event_type, job_name, job_namespace, event_bytes, created_at"
ALL_EVENTS = f"SELECT {COLUMNS}, event FROM lineage_events ORDER BY event_time, event, created_at"

Ask = Callable[[str], list[list[Any]]]


@pytest.fixture
def relations(database: Store, tmp_path: Path) -> NamedRelations:
    """Of the archive `a` and the streams `s` in the test's folder."""
    return NamedRelations([str(tmp_path / "a")], str(tmp_path / "s"), lambda: database)


@pytest.fixture
def ask(spark: SparkSession, database: Store, tmp_path: Path) -> Ask:
    """Asks Spark about them, as they are then."""

    def asked(text: str) -> list[list[Any]]:
        relations = NamedRelations([str(tmp_path / "a")], str(tmp_path / "s"), lambda: database)
        found = queried_rows(spark.newSession(), text, frames_of(relations), 1_000)
        assert found.is_complete
        return [list(row) for row in found.rows]

    return asked


def history() -> list[dict[str, Any]]:
    """Runs over two months; each third event came twice."""
    found = list[dict[str, Any]]()
    for number in range(24):
        time = TIME + timedelta(days=3 * number)
        run = f"0190a0a0-0000-7000-8000-{number:012}"
        written = dataset("ördér's" if number < 12 else "sums", fields=[("id", "INT")])
        found.append(run_event("COMPLETE", run_id=run, time=time, outputs=[written]))
        found += [found[-1]] * (number % 3 == 0)
    return found


def archive(store: Store, folder: Path, as_of: datetime = AS_OF, **options: Any) -> list[str]:
    """The paths of the manifests."""
    cutoffs = [Cutoff(PolicyKind.RAW_EVENTS, "shop", as_of, 0)]
    return list(archive_expired(store, str(folder), cutoffs, as_of, **options).manifests)


def stored_events(store: Store) -> list[list[Any]]:
    text = f'SELECT {COLUMNS}, event::text FROM lineage_events ORDER BY event_time, event::text COLLATE "C", created_at'
    return [list(row) for row in rows(store, text)]


def in_duckdb(statements: Sequence[str], text: str) -> list[list[Any]]:
    with duckdb.connect() as connection:
        connection.execute("SET TimeZone = 'UTC'")
        for statement in statements:
            connection.execute(statement)
        return [list(row) for row in connection.execute(text).fetchall()]


def test_archived_events_are_those_that_were_in_the_store(database: Store, tmp_path: Path, ask: Ask) -> None:
    take_in(database, history())
    before = stored_events(database)
    archive(database, tmp_path / "a", part_bytes=1_000)
    assert stored_events(database) == []
    assert len(before) == 32
    assert ask(ALL_EVENTS) == before
    statements = list(script(event_relations(archived_sets([str(tmp_path / "a")]))))
    assert in_duckdb(statements, ALL_EVENTS) == before
    assert "archived_more_than_once" not in "".join(statements), "no two sets are of the same time"


def test_an_event_that_was_archived_twice_is_there_once_and_a_repeat_stays_a_repeat(
    database: Store, tmp_path: Path, ask: Ask
) -> None:
    take_in(database, history())
    before = stored_events(database)
    first = archive(database, tmp_path / "a", TIME + timedelta(days=40))
    for name in first:
        restore(database, str(tmp_path / "a" / name))
    normalize(database, SerialRunner())
    for hold in holds(database):
        release_hold(database, hold.id, "it was looked at")
    second = archive(database, tmp_path / "a")
    sets = archived_sets([str(tmp_path / "a")])
    assert len(sets) == len(first) + len(second)
    assert sum(one.manifest.rows for one in sets) > len(before)
    assert ask(ALL_EVENTS) == before
    again = [*sets, *archived_sets([str(tmp_path / "a" / first[0])])]
    assert in_duckdb(list(script(event_relations(again))), ALL_EVENTS) == before


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("runs", "uuid, current_run_state"),
        ("job_versions_io_mapping", "job_version_uuid, io_type, is_current_job_version"),
    ],
)
def test_the_rows_of_a_stream_are_those_of_its_table(
    name: str, columns: str, database: Store, tmp_path: Path, relations: NamedRelations, ask: Ask
) -> None:
    """With a key, and without one: later events change rows of both."""
    switches.start(database, name)
    assert ask(f"SELECT * FROM {name}") == []
    take_in(database, history()[:10])
    publish(database, str(tmp_path / "s"))
    ends_again = run_event("FAIL", run_id="0190a0a0-0000-7000-8000-000000000000", time=TIME + timedelta(days=90))
    take_in(database, [*history()[10:], ends_again])
    publish(database, str(tmp_path / "s"))
    wanted = _texts(rows(database, f"SELECT {columns} FROM {name}"))
    assert _texts(ask(f"SELECT {columns} FROM {name}")) == wanted
    ((records,),) = ask(f"SELECT count(*) FROM {name}_changelog")
    assert records > len(wanted), "rows have changed"
    statements = list(script(relations.stream(name)))
    assert _texts(in_duckdb(statements, f"SELECT {columns} FROM {name}")) == wanted
    assert in_duckdb(statements, f"SELECT count(*) FROM {name}_changelog") == [[records]]


def _texts(found: Iterable[Iterable[Any]]) -> list[list[str]]:
    """In an order of their own; each engine has its own type for a uuid."""
    return sorted([str(value) for value in row] for row in found)


def test_raw_events_are_the_archived_ones_beside_their_own_stream(database: Store, tmp_path: Path, ask: Ask) -> None:
    switches.start(database, "lineage_events")
    take_in(database, history()[:4])
    publish(database, str(tmp_path / "s"))
    take_in(database, history()[4:])
    archive(database, tmp_path / "a")
    both = "SELECT (SELECT count(*) FROM lineage_events_changelog), (SELECT count(*) FROM LINEAGE_EVENTS)"
    assert ask(both) == [[4, 32]]


def test_archived_events_are_joined_with_a_stream(
    database: Store, tmp_path: Path, relations: NamedRelations, ask: Ask
) -> None:
    switches.start(database, "runs")
    take_in(database, history())
    publish(database, str(tmp_path / "s"))
    archive(database, tmp_path / "a")
    joined = (
        "WITH repeated AS (SELECT run_uuid FROM lineage_events GROUP BY 1 HAVING count(*) = 2)\n"
        "SELECT count(*) FROM runs JOIN repeated ON runs.uuid = repeated.run_uuid -- eight of them"
    )
    assert ask(joined) == [[8]]
    statements = [*script(relations.events()), *script(relations.stream("runs"))]
    assert in_duckdb(statements, joined) == [[8]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("INSERT OVERWRITE DIRECTORY '/nowhere' SELECT 1", "This is a command"),
        ("CREATE TABLE copied AS SELECT 1 AS one", "This is a command"),
        ("SHOW TABLES", "This is a command"),
        ("SELEC 1", "The query cannot be answered: .*Syntax error at or near 'SELEC'"),
        ("SELECT 1) AS a, (SELECT 2", "The query cannot be answered: .*Syntax error"),
        ("SELECT * FROM runz", "The query cannot be answered: .*`runz` cannot be found"),
        ("SELECT nothing FROM lineage_events", "The query cannot be answered: .*`nothing` cannot be resolved"),
        ("SELECT CAST(job_name AS INT) FROM lineage_events", "The query cannot be answered: .*malformed"),
    ],
)
def test_what_is_no_query_is_refused(
    text: str, message: str, database: Store, tmp_path: Path, ask: Ask, capfd: pytest.CaptureFixture[str]
) -> None:
    take_in(database, history()[:2])
    archive(database, tmp_path / "a")
    with pytest.raises(WrongUsage, match=message):
        ask(text)
    assert "SQLQueryContextLogger" not in capfd.readouterr().err


@pytest.mark.slow
def test_the_command_prints_what_a_query_finds(database: Store, tmp_path: Path) -> None:
    take_in(database, history())
    archive(database, tmp_path / "a")
    text = "SELECT job_name, count(*) AS events FROM lineage_events GROUP BY 1"
    lineage = [str(PROGRAMS / "lineage"), "archive", "query", text, "--archive", str(tmp_path / "a"), "--json"]
    found = subprocess.run(lineage, capture_output=True, text=True, check=True, timeout=120)
    assert json.loads(found.stdout) == [{"job_name": "load", "events": 32}]
    assert found.stderr == ""


def test_a_file_that_is_gone_takes_a_person(database: Store, tmp_path: Path, ask: Ask) -> None:
    take_in(database, history())
    archive(database, tmp_path / "a")
    next((tmp_path / "a").rglob("*.parquet")).unlink()
    with pytest.raises(NeedsOperator, match=r"A file cannot be read: .* Bring it back"):
        ask("SELECT count(*) FROM lineage_events")


def test_events_need_the_name_of_an_archive(spark: SparkSession) -> None:
    frames = frames_of(NamedRelations([], "streams", pytest.fail))
    with pytest.raises(WrongUsage, match="name it by --archive"):
        queried_rows(spark.newSession(), "SELECT * FROM lineage_events", frames, 1)


def test_rows_are_shown_up_to_the_limit(spark: SparkSession) -> None:
    found = queried_rows(spark.newSession(), "SELECT id, id FROM range(3) ORDER BY 1 DESC;", lambda *_: None, 2)
    assert (found.columns, found.rows, found.is_complete) == (("id", "id"), ((2, 2), (1, 1)), False)
