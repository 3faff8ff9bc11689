"""Explaining a run of which not all can be looked at: what comes first, and that the rest is named."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any
from uuid import UUID

import pytest

from lineage_core.answers.explain import absent_runs, loading, member_changes, upstream
from lineage_core.answers.explain import side_by_side as beside_each_other
from lineage_core.answers.explain.command import _lines
from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.explain.explanation import CauseKind
from lineage_core.answers.explain.side_by_side import side_by_side
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from lineage_core.testing import TIME, Document, dataset, facet, named_job, parent, run_event
from tests.support.explained_runs import DAYS, LOAD, SUM, SUMMED, run_of, week
from tests.support.stores import put, rows, take_in

pytestmark = pytest.mark.postgres

TASKS = 15
DAG_RUN = UUID("0190e0e0-0000-7000-8000-999999999999")
FIRST_TRY = UUID("0190e0e0-0000-7000-8000-777777777000")


def task(number: int) -> UUID:
    return UUID(int=DAG_RUN.int - 1000 + number)


def dag_run() -> Iterator[Document]:
    """A run that started many others: the first failed before the rest began, and the second is open."""
    for number in range(TASKS):
        shared: dict[str, Any] = {
            "run_id": str(task(number)),
            "job": named_job(f"dag.task_{number}", "airflow"),
            "inputs": [dataset(f"public.source_{number}")],
        }
        facets = parent(str(DAG_RUN), "dag", "airflow")
        time = TIME + timedelta(minutes=number)
        yield run_event("START", time=time, facets=facets, **shared)
        if number == 0:
            facets = facets | {"errorMessage": facet(message="disk is full", programmingLanguage="PYTHON")}
        if number != 1:
            ending = "FAIL" if number == 0 else "COMPLETE"
            yield run_event(ending, time=time + timedelta(seconds=5), facets=facets, **shared)
    yield run_event("FAIL", run_id=str(DAG_RUN), job=named_job("dag", "airflow"), time=TIME + timedelta(hours=1))


def test_all_that_a_run_started_is_looked_at(database: Store) -> None:
    take_in(database, dag_run())
    found = explain(database, DAG_RUN)
    assert [(cause.kind, cause.subject) for cause in found.causes] == [
        (CauseKind.ERROR_MESSAGE, "airflow/dag.task_0"),
    ]
    assert (found.runs, found.next) == (TASKS + 1, ())


def test_of_too_many_runs_those_that_failed_or_are_open_come_first(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upstream, "MOST_RUNS_OF_A_HOP", 2)
    take_in(database, dag_run())
    found = explain(database, DAG_RUN)
    assert [cause.kind for cause in found.causes] == [CauseKind.ERROR_MESSAGE]
    assert (found.complete, found.runs) == (False, 3)
    assert f"{TASKS - 2} of {TASKS} runs at hop 1 were left out" in found.cut
    assert set(found.next) == {task(number) for number in range(2, TASKS)}


def test_runs_that_were_not_loaded_are_counted(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "CHILDREN_LOOKED_AT", 2)
    take_in(database, dag_run())
    found = explain(database, DAG_RUN)
    assert [cause.kind for cause in found.causes] == [CauseKind.ERROR_MESSAGE]
    assert f"{TASKS - 2} more runs that run {DAG_RUN} started" in found.cut


def test_tries_before_the_last_ones_are_named(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upstream, "MOST_AWAITED", 2)
    last_day = TIME + timedelta(days=DAYS - 1)
    tries = [
        run_event(
            "FAIL",
            run_id=str(UUID(int=FIRST_TRY.int + number)),
            job=named_job(LOAD, "etl"),
            time=last_day + timedelta(minutes=10 * number),
        )
        for number in range(3)
    ]
    load = str(run_of(LOAD, DAYS - 1))
    take_in(database, [*(event for event in week() if event["run"]["runId"] != load), *tries])
    found = explain(database, SUMMED)
    assert found.causes[0].kind is CauseKind.UPSTREAM_FAILED
    assert found.cut == (f"runs of etl/{LOAD} for run {SUMMED} before the last 2",)
    assert found.next == (FIRST_TRY,)


def test_what_absent_runs_waited_for_is_counted(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    load = str(run_of(LOAD, DAYS - 1))
    take_in(database, (event for event in week() if event["run"]["runId"] != load))
    assert explain(database, SUMMED).complete
    assert explain(database, SUMMED, hops=0).cut == ("what 1 runs that did not happen waited for, more hops upstream",)
    monkeypatch.setattr(absent_runs, "MOST_WAITING", 0)
    assert explain(database, SUMMED).cut == ("what 1 runs that did not happen waited for",)


def test_a_run_upstream_whose_end_waits_is_not_called_open(database: Store) -> None:
    ending = next(
        event
        for event in week()
        if event["run"]["runId"] == str(run_of(LOAD, DAYS - 1)) and event["eventType"] == "COMPLETE"
    )
    take_in(database, week(loading=None))
    before = explain(database, SUMMED)
    assert CauseKind.UPSTREAM_OPEN in [cause.kind for cause in before.causes]
    assert before.waiting_since is None
    put(database, [ending])
    found = explain(database, SUMMED)
    assert CauseKind.UPSTREAM_OPEN not in [cause.kind for cause in found.causes]
    run = run_of(LOAD, DAYS - 1)
    assert found.cut == (f"1 events of run {run} of etl/{LOAD} wait for normalization, so it may have ended",)
    assert found.waiting_since is not None
    assert any("`lineage normalize`" in line for line in _lines(found))


def test_events_of_others_that_wait_are_stated(database: Store) -> None:
    take_in(database, week())
    put(
        database, [run_event("START", run_id=str(FIRST_TRY), job=named_job(SUM, "etl"), time=TIME + timedelta(days=90))]
    )
    found = explain(database, SUMMED)
    assert (found.complete, found.waiting_since is None) == (True, False)


def test_an_error_is_read_however_long_its_trace_is(database: Store) -> None:
    chance = Random(1)
    trace = "\n".join(f"at {chance.randbytes(20).hex()}" for _ in range(4_000))
    failed = list(week(error="disk is full"))
    failed[-1]["run"]["facets"]["errorMessage"]["stackTrace"] = trace
    take_in(database, failed)
    ((stored,),) = rows(database, "SELECT max(pg_column_size(facet)) FROM facets WHERE name = 'errorMessage'")
    assert stored > loading.LARGEST_FACET
    found = explain(database, SUMMED)
    assert CauseKind.ERROR_MESSAGE in [cause.kind for cause in found.causes]
    assert any("disk is full" in one.says for cause in found.causes for one in cause.evidence)


def test_rows_are_counted_however_many_columns_are_and_it_is_stated_that_these_are_left_out(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the last day the orders are few."""
    columns = {f"column_{number}": {"sum": number} for number in range(loading.MOST_COLUMNS)}
    events = list(week())
    for day in range(DAYS):
        event = next(
            one for one in events if one["run"]["runId"] == str(run_of(LOAD, day)) and one["eventType"] == "COMPLETE"
        )
        counted = facet(rowCount=3 if day == DAYS - 1 else 1000 + day, columnMetrics=columns)
        event["outputs"][0]["outputFacets"] = {"dataQualityMetrics": counted}
    take_in(database, events)
    load = run_of(LOAD, DAYS - 1)
    assert (explain(database, load).complete, explain(database, load).causes[0].kind) == (True, CauseKind.VOLUME)
    for name, bound in (("MOST_COLUMNS", loading.MOST_COLUMNS - 1), ("LARGEST_FACET", 100)):
        with monkeypatch.context() as patch:
            patch.setattr(loading, name, bound)
            found = explain(database, load)
            assert f"1 facets of run {load} count more columns than are compared" in found.cut
            assert found.causes[0].kind is CauseKind.VOLUME


def test_schema_changes_before_the_last_ones_are_named_as_left_out(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, week(dropped=1))
    assert explain(database, SUMMED).complete
    monkeypatch.setattr(loading, "MOST_VERDICTS", 0)
    found = explain(database, SUMMED)
    assert found.cut == (
        "schema changes before the last 0 that came between two runs: postgres://shop:5432/public.orders",
    )
    with snapshot(database) as connection:
        beside = side_by_side(connection, SUMMED)
    assert beside is not None
    assert [words for words in beside.cut if "schema changes before" in words] == list(found.cut)


def test_of_a_run_of_very_many_events_those_that_are_not_looked_at_are_named(
    database: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    take_in(database, week())
    monkeypatch.setattr(loading, "MOST_EVENTS", 1)
    assert explain(database, SUMMED).complete
    began = TIME + timedelta(days=DAYS - 1, hours=2)
    summed: dict[str, Any] = {"run_id": str(SUMMED), "job": named_job(SUM, "etl"), "inputs": [dataset()]}
    take_in(database, [run_event("RUNNING", time=began + timedelta(minutes=1), **summed)])
    found = explain(database, SUMMED)
    assert found.cut == (f"facets of run {SUMMED} that only events between its first and last 1 have",)


def test_members_behind_the_first_ones_are_named_as_left_out(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    take_in(database, week(query="SELECT max(price) FROM orders"))
    assert explain(database, SUMMED).complete
    for where in (member_changes, upstream, beside_each_other):
        monkeypatch.setattr(where, "MOST_MEMBERS", 0)
    assert explain(database, SUMMED).cut == (f"members of the facet sql of run {SUMMED} behind the first 0",)
    with snapshot(database) as connection:
        beside = side_by_side(connection, SUMMED)
    assert beside is not None
    assert "members of the facet job sql behind the first 0" in beside.cut
