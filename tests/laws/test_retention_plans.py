"""The law of plans: whatever comes between a plan and its application, that deletes nothing that the plan does not
have, and leaves no loose end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from random import Random
from typing import Any
from uuid import UUID

import pytest

from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store import purge
from lineage_core.retention.store.policies import HeldThing, add_hold, release_hold, set_policy
from lineage_core.retention.tables import PolicyKind
from tests.laws.test_retention import DANGLING, prepare, uuids
from tests.support.examples import numbers
from tests.support.mutants import EXAMPLES_MET, Mutant, broken
from tests.support.named_contents import astray
from tests.support.retention_histories import HOUR, Document, RetentionHistory, history
from tests.support.row_counts import counted
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

EXAMPLES = 8
MANY = 60

PLANNED = (
    "runs",
    "dataset_versions",
    "job_versions",
    "jobs",
    "datasets",
    "facet_sets",
    "facets",
    "dataset_schemas",
    "dataset_column_lineages",
    "dataset_fields",
    "run_args",
)
"""The tables of which a plan has each row that goes by its uuid; but columns go with a dataset that it has."""


def stragglers(random: Random, example: RetentionHistory) -> Iterator[Document]:
    """Events from before the cut-off that come only when the plan is made: of runs that it has, and of others."""
    for event in history(random).events:
        if datetime.fromisoformat(event["eventTime"]) >= example.before or random.random() < 0.5:
            continue
        if "run" in event and random.random() < 0.5:
            yield event | {"run": event["run"] | {"runId": "0190a0a0-4444" + event["run"]["runId"][13:]}}
        else:
            yield event | {"eventTime": (datetime.fromisoformat(event["eventTime"]) + HOUR / 7).isoformat()}


def hold(store: Store, number: int, met: Counter[str]) -> None:
    """Fails if the example of that number loses more than was planned."""
    random = Random(number)
    example = history(random)
    prepare(store, example)
    take_in(store, example.events)
    planned = retention.plan(store, example.as_of, random.choice((None, None, None, "*")))
    ((number_of_plan,),) = rows(store, "SELECT max(id) FROM retention_plans")
    keys = {
        kind: {key for (found,) in _keys(store, number_of_plan, kind) for key in found}
        for kind in (*PLANNED, "job_events")
    }
    keys["dataset_fields"] |= _fields_of(store, keys["datasets"])
    happened = [dict(event) for event in example.late if random.random() < 0.5]
    take_in(store, [*happened, *stragglers(random, example)])
    if random.random() < 0.5:
        set_policy(store, Policy(PolicyKind.RUNS, "*", HOUR, 0))
    before = _standing(store)
    rows_before = counted(store)
    with pytest.MonkeyPatch.context() as patch:
        placed = _holds_that_come(store, random, patch)
        applied = retention.apply(store, planned)
    lost = {held for one in placed for held in one.about} - set(_held(store))
    assert lost == set(), (number, "what is held stays from the moment on at which the hold is placed")
    after = _standing(store)
    gone = {kind: before[kind] - after[kind] for kind in before}
    assert {kind: gone[kind] - keys[kind] for kind in gone if gone[kind] - keys[kind]} == {}, number
    assert rows_before - counted(store) == applied.deleted, "nothing goes along with what goes"
    assert {name: found for name, query in DANGLING.items() if (found := rows(store, query))} == {}
    assert [one for one in astray(store) if "is missing" in one[0]] == []
    met.update({f"{table} that go": len(gone[table]) for table in PLANNED})
    met["planned, and stayed"] += sum(applied.stayed.values())
    met["not in the plan"] += applied.stayed.get("not in the plan", 0)
    met["holds that came meanwhile"] += len(placed)
    for one in placed:
        release_hold(store, one.hold, "the example is over")
    retention.apply(store, retention.plan(store, example.as_of))
    assert {name: found for name, query in DANGLING.items() if (found := rows(store, query))} == {}


def _standing(store: Store) -> dict[str, set[UUID]]:
    """What is there of all that a plan has, by its keys."""
    events = rows(
        store,
        "SELECT event_key(event_order) FROM event_ledger"
        " WHERE run_uuid IS NULL AND job_uuid IS NOT NULL AND NOT is_purged",
    )
    return {"job_events": {key for (key,) in events}} | {table: uuids(store, table) for table in PLANNED}


def _fields_of(store: Store, datasets: set[UUID]) -> set[UUID]:
    """The columns that datasets have now."""
    return {
        uuid for (uuid,) in rows(store, "SELECT uuid FROM dataset_fields WHERE dataset_uuid = ANY (%s)", [[*datasets]])
    }


def _keys(store: Store, plan: int, kind: str) -> list[tuple[list[UUID]]]:
    return rows(store, "SELECT keys FROM retention_plan_keys WHERE plan = %s AND kind = %s", [plan, kind])


@dataclass(frozen=True)
class _Placed:
    """A hold, and the runs and versions that holds are about when it is placed."""

    hold: int
    about: tuple[tuple[str, UUID], ...]


def _held(store: Store) -> list[tuple[str, UUID]]:
    return rows(
        store,
        "SELECT 'runs', uuid FROM held_runs(NULL) JOIN runs USING (uuid) UNION SELECT 'versions', version.uuid"
        " FROM held_datasets() AS held JOIN dataset_versions AS version ON version.dataset_uuid = held.uuid",
    )


def _holds_that_come(store: Store, random: Random, patch: pytest.MonkeyPatch) -> list[_Placed]:
    """The holds that were placed between two transactions of what is applied next."""
    placed = list[_Placed]()
    whole, waiting = purge.chunks, random.sample(range(60), random.choice((0, 1, 2)))
    done = count()

    def chunks(*arguments: Any) -> Iterator[Counter[str] | None]:
        for gone in whole(*arguments):
            yield gone
            if next(done) in waiting:
                held = random.choice((HeldThing("*", job="load"), HeldThing("*", dataset="orders"), HeldThing("shop")))
                hold = add_hold(store, held, "a lawsuit", None)
                placed.append(_Placed(hold, tuple(_held(store))))

    patch.setattr(purge, "chunks", chunks)
    patch.setattr(purge, "CHUNK", 1)
    return placed


FLOORS = {
    "runs that go": 15,
    "dataset_versions that go": 5,
    "job_versions that go": 10,
    "facets that go": 5,
    "planned, and stayed": 10,
    "holds that came meanwhile": 2,
}
"""How often all examples together must have met what."""


@pytest.mark.slow
def test_no_more_goes_than_was_planned_whatever_comes_between(database: Store) -> None:
    met: Counter[str] = Counter()
    for number in numbers(EXAMPLES):
        hold(database, number, met)
    assert {situation: met[situation] for situation, floor in FLOORS.items() if met[situation] < floor} == {}, met


@pytest.mark.long
def test_so_it_is_in_many_others(database: Store) -> None:
    for number in numbers(MANY, EXAMPLES):
        hold(database, number, Counter())


UNAPPROVED = ("entities", "runs", "job_versions", "old_versions", "leaving")

MUTANTS = (
    Mutant(
        "a hold that comes meanwhile is not seen", "retention/new_holds", "SELECT EXISTS", "SELECT false AND EXISTS"
    ),
    *(
        Mutant(
            f"{found} that are not in the plan go",
            f"retention/find/unapproved/{found}",
            "NOT EXISTS (",
            "false AND NOT EXISTS (",
        )
        for found in UNAPPROVED
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_the_law_of_plans_fails_for(mutant: Mutant, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(mutant, monkeypatch)
    met: Counter[str] = Counter()
    with pytest.raises(AssertionError):
        for number in range(mutant.example - 1, MANY):
            met[EXAMPLES_MET] = number + 1
            hold(database, number, met)
    print(f"{mutant.name}: fails at example {met[EXAMPLES_MET]}")  # noqa: T201
