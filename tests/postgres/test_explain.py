"""Explaining a run: what it says of one difference, of what it cannot know, and to whom."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from psycopg.conninfo import make_conninfo

from lineage_core import statements
from lineage_core.answers.explain import loading
from lineage_core.answers.explain.causes.error_message import kind_of_error
from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.explain.explanation import Cause, CauseKind, EvidenceKind
from lineage_core.answers.explain.side_by_side import DifferenceTopic, side_by_side
from lineage_core.cli import main
from lineage_core.errors import WrongUsage
from lineage_core.local.postgres import Server
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import Statement, every_row, every_value
from lineage_core.reading.store import snapshot
from lineage_core.settings import PROJECT
from lineage_core.testing import Document, dataset, facet, named_job, parent, run_event
from tests.support.explained_runs import DAYS, LOAD, SUM, SUMMED, run_of, week
from tests.support.stores import put, take_in

pytestmark = pytest.mark.postgres

ORDERS = "postgres://shop:5432/public.orders"
HOW_TO = PROJECT / "docs" / "how-to" / "explain-a-run.md"


def kinds(causes: tuple[Cause, ...]) -> list[tuple[CauseKind, str]]:
    return [(cause.kind, cause.subject) for cause in causes]


def test_a_run_that_is_as_those_before_has_no_cause(database: Store) -> None:
    take_in(database, week())
    found = explain(database, SUMMED)
    assert (found.causes, found.complete, found.runs) == ((), True, 2)
    assert found.compared_with == run_of(SUM, DAYS - 2)


def test_other_sql_is_shown_before_and_after(database: Store) -> None:
    take_in(database, week(query="SELECT max(price) FROM orders"))
    (cause,) = explain(database, SUMMED).causes
    assert (cause.kind, cause.subject, cause.hops) == (CauseKind.CODE_CHANGE, "etl/daily_sums", 0)
    assert "SELECT sum(price) FROM orders became SELECT max(price) FROM orders" in cause.evidence[0].says
    assert cause.evidence[0].kind is EvidenceKind.FACET


def test_what_spark_calls_a_run_is_no_parameter_of_it(database: Store) -> None:
    events = list(week())
    for event in (one for one in events if one["eventType"] == "COMPLETE" and one["job"]["name"] == SUM):
        is_last = event["run"]["runId"] == str(SUMMED)
        of_run = {"applicationId": "spark-b", "uiWebUrl": "http://b"} if is_last else {"applicationId": "spark-a"}
        details = facet(master="yarn" if is_last else "local", **of_run)
        event["run"].setdefault("facets", {})["spark_applicationDetails"] = details
    take_in(database, events)
    (cause,) = explain(database, SUMMED).causes
    assert cause.kind is CauseKind.PARAMETERS
    assert [one.says for one in cause.evidence] == ["spark_applicationDetails master: local became yarn"]


def test_a_run_beside_the_last_good_one_is_what_differs_alone(database: Store) -> None:
    take_in(database, week(query="SELECT max(price)\nFROM orders", dropped=1, error="no column price"))
    with snapshot(database) as connection:
        beside = side_by_side(connection, SUMMED)
        loaded = side_by_side(connection, run_of(LOAD, DAYS - 1))
        assert side_by_side(connection, run_of(SUM, 0)) is None
    assert beside is not None
    assert loaded is not None
    assert beside.good == run_of(SUM, DAYS - 2)
    found = {(one.topic.value, one.subject, one.what): (one.before, one.now) for one in beside.differences}
    versions = [
        found.pop(("version", ORDERS, "reads")),
        found.pop(("version", "postgres://shop:5432/public.sums", "writes")),
    ]
    assert len({*versions[0], None}) == 3
    assert versions[1][1] is None
    assert found == {
        ("run", "", "state"): ("COMPLETED", "FAILED"),
        ("error", "errorMessage", "message"): (None, "no column price"),
        ("error", "errorMessage", "programmingLanguage"): (None, "SQL"),
        ("schema", ORDERS, "price"): (None, "deleted"),
        ("code", "job sql", "query"): ("SELECT sum(price) FROM orders", "SELECT max(price)\nFROM orders"),
    }
    assert [(one.what, one.before, one.now) for one in loaded.differences if one.topic is DifferenceTopic.VOLUME] == [
        ("writes rowCount", 1000 + DAYS - 2, 1000 + DAYS - 1)
    ]


def test_a_text_that_is_only_broken_otherwise_is_no_difference(database: Store) -> None:
    take_in(database, week(query="SELECT sum(price)\n  FROM orders"))
    with snapshot(database) as connection:
        beside = side_by_side(connection, SUMMED)
    assert beside is not None
    assert DifferenceTopic.CODE not in {one.topic for one in beside.differences}


def test_a_column_that_is_gone_comes_before_the_error_that_follows(database: Store) -> None:
    take_in(database, week(dropped=1, error="column price does not exist at line 7"))
    found = explain(database, SUMMED)
    assert kinds(found.causes) == [
        (CauseKind.SCHEMA_CHANGE, ORDERS),
        (CauseKind.ERROR_MESSAGE, "etl/daily_sums"),
    ]
    assert "deleted: price" in found.causes[0].evidence[0].says


def test_behind_runs_that_did_not_happen_is_the_one_that_failed(database: Store) -> None:
    def report(event: Document) -> Iterator[Document]:
        """A job that reads the sums, an hour after they are summed up, whether or not that happened."""
        if event["job"]["name"] == SUM:
            time = datetime.fromisoformat(event["eventTime"]) + timedelta(hours=1)
            yield run_event(
                event["eventType"],
                run_id=str(UUID(int=UUID(event["run"]["runId"]).int + 1000)),
                job=named_job("report", "etl"),
                time=time,
                inputs=[dataset("public.sums")],
            )

    events = list(week(loading="FAIL"))
    reports = [made for event in events for made in report(event)]
    take_in(database, [event for event in events if event["run"]["runId"] != str(SUMMED)] + reports)
    first = explain(database, UUID(reports[-1]["run"]["runId"])).causes[0]
    assert (first.kind, first.subject) == (CauseKind.UPSTREAM_FAILED, "etl/load_orders")


TASK, SECOND_TRY = 1_000, 1_000_000
"""What the ids of a task and of its second try add to that of the application."""


def as_tasks(event: Document, tries: int) -> Iterator[Document]:
    """The summing job as an application of Spark, which a task of Airflow starts; on the last day that fails."""
    if event["job"]["name"] != SUM:
        yield event
        return
    is_last = event["run"]["runId"] == str(SUMMED)
    for number in range(tries if is_last else 1):
        application = UUID(int=UUID(event["run"]["runId"]).int + number * SECOND_TRY)
        task = str(UUID(int=application.int + TASK))
        time = datetime.fromisoformat(event["eventTime"]) + timedelta(hours=number)
        run = {"runId": str(application), "facets": parent(task, "task", "airflow")}
        yield event | {"eventTime": time.isoformat(), "run": run}
        if event["eventType"] == "COMPLETE":
            yield run_event(
                "FAIL" if is_last else "COMPLETE",
                run_id=task,
                job=named_job("task", "airflow"),
                time=time + timedelta(minutes=1),
                outputs=[dataset("public.outlet")],
                facets={"airflowState": facet(dagRunState="failed" if is_last else "success")},
            )


@pytest.mark.parametrize("tries", [1, 2])
def test_a_task_that_read_nothing_itself_fails_by_what_it_started(database: Store, tries: int) -> None:
    """Spark says that its application ended well, of the first try, too: none of them is one to compare with."""
    take_in(database, [made for event in week(dropped=1) for made in as_tasks(event, tries)])
    found = explain(database, UUID(int=SUMMED.int + TASK + (tries - 1) * SECOND_TRY))
    assert [(cause.kind, cause.subject) for cause in found.causes] == [(CauseKind.SCHEMA_CHANGE, ORDERS)]


def test_a_run_is_good_though_another_of_its_dag_failed(database: Store) -> None:
    """Whoever started it failed by that other one."""

    def in_a_dag(event: Document) -> Iterator[Document]:
        day, dag = event["run"]["runId"].split("-")[-1][:6], named_job("dag", "airflow")
        run = f"0190e0e0-0000-7000-8000-{day}900000"
        yield event | {"run": event["run"] | {"facets": event["run"].get("facets", {}) | parent(run, "dag", "airflow")}}
        if event["job"]["name"] == SUM and event["eventType"] != "START":
            time = datetime.fromisoformat(event["eventTime"]) + timedelta(minutes=1)
            other = f"0190e0e0-0000-7000-8000-{day}800000"
            yield run_event(
                "FAIL", run_id=other, job=named_job("dag.x", "airflow"), facets=parent(run, "dag", "airflow"), time=time
            )
            yield run_event("FAIL", run_id=run, job=dag, time=time)

    take_in(database, [made for event in week() for made in in_a_dag(event)])
    assert explain(database, SUMMED).compared_with == run_of(SUM, DAYS - 2)


@pytest.mark.parametrize(("ending", "kind"), [("FAIL", CauseKind.UPSTREAM_FAILED), (None, CauseKind.UPSTREAM_OPEN)])
def test_a_run_upstream_without_a_good_end_comes_first(database: Store, ending: str | None, kind: CauseKind) -> None:
    take_in(database, week(loading=ending, error="too few rows"))
    first = explain(database, SUMMED).causes[0]
    assert (first.kind, first.subject) == (kind, "etl/load_orders")
    assert str(run_of(LOAD, DAYS - 1)) in {evidence.id for evidence in first.evidence}


def test_the_first_run_of_a_job_is_compared_with_none_and_says_so(database: Store) -> None:
    take_in(database, week())
    found = explain(database, run_of(SUM, 0))
    assert (found.compared_with, found.complete) == (None, False)
    assert "compared with none" in found.cut[0]


def test_runs_beyond_the_last_hop_are_named(database: Store) -> None:
    take_in(database, week())
    found = explain(database, SUMMED, hops=0)
    assert (found.complete, found.next) == (False, (run_of(LOAD, DAYS - 1),))
    assert explain(database, SUMMED, hops=1).complete


def test_causes_that_are_not_shown_are_counted(database: Store) -> None:
    take_in(database, week(dropped=1, error="no"))
    found = explain(database, SUMMED, most=1)
    assert (len(found.causes), found.complete, found.cut) == (1, False, ("1 less likely causes are not shown",))


def test_events_that_wait_are_counted(database: Store) -> None:
    *before, last = week()
    take_in(database, before)
    put(database, [last])
    found = explain(database, SUMMED)
    assert found.cut == ("1 events of the run wait for normalization",)


def test_a_run_that_waits_or_is_unknown_is_refused_with_what_to_do(database: Store) -> None:
    put(database, week())
    with pytest.raises(WrongUsage, match="lineage normalize"):
        explain(database, SUMMED)
    with pytest.raises(WrongUsage, match=r"knows no run .* `lineage query last_runs`"):
        explain(database, UUID(int=1))


def test_a_purged_run_is_refused_and_a_purged_run_upstream_is_named(database: Store) -> None:
    take_in(database, week())
    with database.connect() as connection:
        connection.execute("INSERT INTO retention_purged_runs VALUES (%s, '2026-05-01Z')", [UUID(int=1)])
        connection.execute("UPDATE dataset_mentions SET is_purged = true WHERE run_uuid = %s", [run_of(LOAD, 6)])
        connection.execute("UPDATE dataset_versions SET run_uuid = NULL WHERE run_uuid = %s", [run_of(LOAD, 6)])
    with pytest.raises(WrongUsage, match=r"Retention deleted run .* at 2026-05-01"):
        explain(database, UUID(int=1))
    found = explain(database, SUMMED)
    assert not found.complete
    assert re.fullmatch("the run that wrote version .* was purged", found.cut[0])


def test_a_reader_may_ask(database: Store, postgres_server: Server) -> None:
    postgres_server.ensure_role("asker")
    postgres_server.run_sql("GRANT lineage_reader TO asker;")
    take_in(database, week(dropped=1, error="no"))
    assert explain(Store(make_conninfo(database.dsn, user="asker")), SUMMED).causes


def test_the_commands_of_the_how_to_run(
    database: Store, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    take_in(database, week(dropped=1, error="no"))
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    lines = re.findall(r"^\.venv/bin/lineage (explain [^#\n]*)", HOW_TO.read_text(), re.MULTILINE)
    printed = [_printed(line.replace("RUN", str(SUMMED)).split(), capsys) for line in lines]
    assert len(printed) == 3
    first = r"^1\. schema-change  \S+/public\.orders  \(0\.\d\d, 1 upstream: etl/load_orders\)$"
    assert re.search(first, printed[0], re.MULTILINE)
    found = json.loads(printed[1])
    assert [*found][:2] == ["complete", "causes"]
    assert {"kind", "subject", "evidence"} <= found["causes"][0].keys()
    assert found["causes"][0]["evidence"][0].keys() == {"kind", "id", "says"}


def _printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 0
    return capsys.readouterr().out


def test_a_run_that_names_more_datasets_than_are_looked_at_says_so_and_misses_none(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, week())
    monkeypatch.setattr(loading, "MOST_MENTIONS", 2)
    found = explain(database, SUMMED)
    assert found.causes == ()
    assert f"run {SUMMED} names more datasets" in found.cut


def test_each_statement_finds_its_rows_by_index(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that it takes as long in a store of a million runs."""
    asked: list[tuple[str, Any]] = []

    def noting(read: Callable[..., Any]) -> Callable[..., Any]:
        def noted(connection: Connection, make: Any, statement: Statement, parameters: Any) -> Any:
            text = statements.named(statement) if isinstance(statement, str) else statement.as_string()
            asked.append((text, parameters))
            return read(connection, make, statement, parameters)

        return noted

    take_in(database, week(loading="FAIL", error="no"))
    for reading in (every_row, every_value):
        monkeypatch.setattr(loading, reading.__name__, noting(reading))
    explain(database, SUMMED)
    explain(database, run_of(SUM, DAYS - 2))
    assert len({statement for statement, _ in asked}) >= 10
    with database.connect() as connection:
        connection.execute(statements.named("reading/settings"))
        read = {statement: _read_whole(connection, statement, parameters) for statement, parameters in asked}
    assert {statement: tables for statement, tables in read.items() if tables} == {}


def _read_whole(connection: Connection, statement: str, parameters: Any) -> set[str]:
    text = f"EXPLAIN (FORMAT TEXT) {statement}"
    plan = "\n".join(line for (line,) in connection.execute(text.encode(), parameters))
    return set(re.findall(r"Seq Scan on (\w+)", plan))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Table 'a.b' of 17 rows", "Table 'c' of 4 rows"),
        ("lost s3://lake/x/1.parquet", "lost s3://lake/y/2.parquet"),
        ("run 0190a0a0-0000-7000-8000-000000000001 failed", "run 0190a0a0-1111-7000-8000-00000000000f failed"),
    ],
)
def test_errors_of_one_kind_differ_in_numbers_names_and_addresses(one: str, other: str) -> None:
    assert kind_of_error(one) == kind_of_error(other)


def test_errors_of_two_kinds_differ() -> None:
    assert kind_of_error("connection refused") != kind_of_error("connection lost")
