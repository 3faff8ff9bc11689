"""Retention of runs that name each other: chains of parents, and runs that move to another job."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest

from lineage_core import statements
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import purge
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, Document, named_job, parent, run_event
from tests.support.row_counts import counted
from tests.support.stores import contents, differences, empty, rows, take_in

pytestmark = pytest.mark.postgres

DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)


def run_id(number: int) -> str:
    return f"0190a0a0-0000-7000-8000-{number:012}"


def ran(number: int, job: str, day: float, *kinds: str) -> list[Document]:
    """Events of a run, a minute apart."""
    return [
        run_event(kind, run_id=run_id(number), job=named_job(job), time=TIME + day * DAY + place * MINUTE)
        for place, kind in enumerate(kinds)
    ]


def apply(store: Store, day: float) -> dict[str, int]:
    """What is older than thirty days on that day goes; the rows that have gone, as they were planned, and no others."""
    planned = retention.plan(store, TIME + day * DAY)
    before = counted(store)
    assert dict(retention.apply(store, planned).deleted) == dict(planned.tables)
    assert before - counted(store) == dict(planned.tables)
    return dict(planned.tables)


def runs_left(store: Store) -> list[str]:
    return [uuid for (uuid,) in rows(store, "SELECT uuid::text FROM runs WHERE first_event IS NOT NULL ORDER BY uuid")]


def keep_for_a_month(store: Store) -> None:
    set_policy(store, Policy(PolicyKind.RUNS, "*", 30 * DAY, None))


class TestChainsOfParents:
    """A DAG that triggers itself: each run names the one before as its parent."""

    def chain(self, length: int) -> Iterator[Document]:
        for number in range(length):
            for event in ran(number, "loop", number, "START", "COMPLETE"):
                if number:
                    event["run"]["facets"] = parent(run_id(number - 1), "loop")
                yield event

    def test_only_the_nearest_parent_stays_and_names_none_any_more(self, database: Store) -> None:
        keep_for_a_month(database)
        take_in(database, self.chain(130))
        assert apply(database, 150)["runs"] >= 118
        young = [run_id(number) for number in range(120, 130)]
        assert runs_left(database) == [run_id(0), run_id(119), *young], "the first has another job, as it has no parent"
        named = dict(rows(database, "SELECT uuid::text, parent_run_uuid::text FROM runs WHERE first_event IS NOT NULL"))
        assert (named[run_id(120)], named[run_id(119)]) == (run_id(119), None)
        facets = rows(
            database, "SELECT facet::text FROM run_facets WHERE run_uuid = %s AND name = 'parent'", [run_id(119)]
        )
        assert all(run_id(118) in facet for (facet,) in facets), "what it stated is read as before"
        assert facets

    def test_what_stays_is_found_in_as_many_searches_for_a_long_chain_as_for_a_short_one(
        self, database: Store, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        keep_for_a_month(database)
        asked: list[str] = []
        named = statements.named

        def counting(path: str) -> str:
            asked.append(path)
            return named(path)

        monkeypatch.setattr(statements, "named", counting)
        searches = []
        for length in (40, 80):
            empty(database)
            keep_for_a_month(database)
            take_in(database, self.chain(length))
            asked.clear()
            retention.plan(database, TIME + 65 * DAY)
            searches.append(asked.count("retention/find/stays/parents"))
        assert searches[0] == searches[1] <= 3


class TestRunsThatMove:
    """The first event of a run says of which job it is. One that comes late is not behind the horizon, and moves it."""

    EVENTS = (*ran(1, "load", 0, "START", "COMPLETE"), *ran(2, "load", 40, "START", "COMPLETE"))
    LATE = tuple(ran(2, "sum", 39, "START"))

    def test_the_last_completed_run_of_a_job_is_the_same_whether_another_moved_before_or_after(
        self, database: Store
    ) -> None:
        keep_for_a_month(database)
        take_in(database, self.EVENTS)
        apply(database, 60)
        take_in(database, self.LATE)
        apply(database, 60)
        moved_after = contents(database)
        assert rows(database, "SELECT job_name FROM runs WHERE uuid = %s", [run_id(2)]) == [("sum",)]
        empty(database)
        keep_for_a_month(database)
        take_in(database, [*self.EVENTS, *self.LATE])
        apply(database, 60)
        assert runs_left(database) == [run_id(2)]
        assert differences(moved_after, contents(database)) == {}

    def test_a_job_stays_with_a_run_that_has_made_a_version_of_it_and_the_run_with_the_version(
        self, database: Store
    ) -> None:
        """Deleting the job deleted its version, and that the run, though it was to stay."""
        keep_for_a_month(database)
        set_policy(database, Policy(PolicyKind.ENTITIES, "*", 30 * DAY, None))
        take_in(
            database,
            [
                *ran(1, "sum", 0, "START"),
                *ran(1, "load", 0.1, "COMPLETE"),
                *ran(2, "sum", 79, "START", "COMPLETE"),
                *(
                    event | {"run": event["run"] | {"facets": parent(run_id(1), "sum")}}
                    for event in ran(3, "end", 79, "START")
                ),
            ],
        )
        apply(database, 80)
        assert run_id(1) in runs_left(database)
        assert ("load",) in rows(database, "SELECT name FROM jobs")


@pytest.mark.long
def test_a_chain_of_2500_runs_is_searched_in_seconds(database: Store) -> None:
    keep_for_a_month(database)
    take_in(database, TestChainsOfParents().chain(2_500))
    with database.connect() as connection:
        purge.prepare(connection)
        started = time.monotonic()
        as_of = TIME + 2_480 * DAY
        found = purge.find(connection, as_of, purge.cutoffs(connection, as_of))
        assert time.monotonic() - started < 5
    assert found.tables["runs"] > 2_400
