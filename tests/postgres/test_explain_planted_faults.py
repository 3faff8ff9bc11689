"""Faults that are planted up to five hops away, in histories with noise: the true cause comes first, with evidence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import pytest

from lineage_core.answers.explain.explained_run import explain
from lineage_core.answers.explain.explanation import CauseKind, Evidence, EvidenceKind, Explanation
from lineage_core.postgres.store import Store
from tests.support.planted_faults import History, PlantedFault
from tests.support.servers import Databases
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

FIRST, AMONG_THREE = 0.90, 0.98


@dataclass(frozen=True)
class Answered:
    """A planted fault, what was answered, and the place of the true cause from 1 on; 0 if it is none of the causes."""

    fault: PlantedFault
    found: Explanation
    place: int


def answered(store: Store, history: History) -> list[Answered]:
    return [_answered(fault, explain(store, fault.run)) for fault in history.planted]


def _answered(fault: PlantedFault, found: Explanation) -> Answered:
    places = [
        place
        for place, cause in enumerate(found.causes, start=1)
        if cause.kind is fault.kind and cause.subject in fault.subjects
    ]
    return Answered(fault, found, min(places, default=0))


def share(of: list[Answered], most: int) -> float:
    return sum(0 < one.place <= most for one in of) / len(of)


def misplaced(of: list[Answered]) -> str:
    """Each answer whose first cause is another than the true one."""
    return "\n".join(
        f"{one.fault.kind} of {sorted(one.fault.subjects)}, {one.fault.trial}, came at {one.place}, behind "
        + "; ".join(f"{cause.kind} {cause.subject} {cause.hops} {cause.weight}" for cause in one.found.causes[:4])
        for one in of
        if one.place != 1
    )


IDS = {
    EvidenceKind.RUN: "SELECT uuid::text FROM runs",
    EvidenceKind.VERSION: "SELECT uuid::text FROM dataset_versions",
    EvidenceKind.DATASET: "SELECT uuid::text FROM datasets",
    EvidenceKind.FACET: "SELECT uuid::text FROM facets",
    EvidenceKind.EVENT: "SELECT encode(event_order, 'hex') FROM event_ledger",
}


def unfounded(store: Store, answers: list[Answered]) -> list[Evidence]:
    """Evidence that names no row of the store, or says nothing."""
    known = {kind: {identifier for (identifier,) in rows(store, query)} for kind, query in IDS.items()}
    every = (evidence for one in answers for cause in one.found.causes for evidence in cause.evidence)
    return [evidence for evidence in every if evidence.id not in known[evidence.kind] or not evidence.says]


@contextmanager
def _filled(databases: Databases, template: str, history: History) -> Iterator[Store]:
    with databases.copied(template) as store:
        take_in(store, history.events())
        with store.connect(autocommit=True) as connection:
            connection.execute("ANALYZE")
        yield store


@dataclass(frozen=True)
class Planted:
    """A store with a history in it."""

    store: Store
    history: History


@pytest.fixture(scope="module")
def planted(databases: Databases, _template: str) -> Iterator[Planted]:
    """Some 2,600 runs and 42 faults."""
    history = History(12, 32, seed=1)
    with _filled(databases, _template, history) as store:
        yield Planted(store, history)


@pytest.mark.slow
def test_the_true_cause_comes_first(planted: Planted) -> None:
    answers = answered(planted.store, planted.history)
    assert unfounded(planted.store, answers) == []
    assert {one.fault.kind for one in answers} == set(CauseKind)
    assert {one.fault.trial.hops for one in answers} >= {0, 1, 2, 3}
    assert share(answers, 1) >= FIRST, misplaced(answers)
    assert share(answers, 3) >= AMONG_THREE, misplaced(answers)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "worse", "kinds"),
    [
        ("ranking._FOLLOWS", 0.0, {*CauseKind}),
        ("member_changes._steadiness", lambda *_: 1.0, {*CauseKind}),
        ("upstream.is_usually_new", lambda *_: False, {CauseKind.UPSTREAM_FAILED, CauseKind.UPSTREAM_OPEN}),
        ("loading.MEASURED", ("no such facet",), {CauseKind.VOLUME}),
    ],
)
def test_an_explanation_that_is_worse_is_found_out(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, name: str, worse: object, kinds: set[CauseKind]
) -> None:
    """What follows from others weighs as much, hosts are causes, no input is awaited, numbers are not read."""
    monkeypatch.setattr(f"lineage_core.answers.explain.{name}", worse)
    faults = [fault for fault in planted.history.planted if fault.kind in kinds][: len(CauseKind)]
    assert share([_answered(fault, explain(planted.store, fault.run)) for fault in faults], 1) < FIRST


@pytest.mark.slow
def test_evidence_that_the_store_does_not_have_is_found_out(planted: Planted) -> None:
    (fault, *_) = planted.history.planted
    found = explain(planted.store, fault.run)
    made_up = Evidence(EvidenceKind.RUN, "no such run", "it failed")
    altered = replace(found, causes=(replace(found.causes[0], evidence=(made_up,)), *found.causes[1:]))
    assert unfounded(planted.store, [Answered(fault, altered, 1)]) == [made_up]
    with pytest.raises(ValueError, match="without evidence"):
        replace(found.causes[0], evidence=())


@pytest.mark.long
@pytest.mark.parametrize("seed", [7, 8])
def test_of_hundreds_of_faults_the_true_cause_comes_first(databases: Databases, _template: str, seed: int) -> None:
    """Some 10,000 runs and 200 faults each."""
    history = History(36, 44, seed)
    with _filled(databases, _template, history) as store:
        answers = answered(store, history)
        assert unfounded(store, answers) == []
    assert {one.fault.trial.hops for one in answers} == {0, 1, 2, 3, 4, 5}
    assert share(answers, 1) >= FIRST, misplaced(answers)
    assert share(answers, 3) >= AMONG_THREE, misplaced(answers)
