"""Law of `lineage affected`: exactly what a model finds that is written apart and knows raw events alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from uuid import UUID

import pytest

from lineage_core import statements
from lineage_core.answers.affected import columns, reruns
from lineage_core.answers.affected import walk as walks
from lineage_core.answers.affected.answer import AffectedAnswer
from lineage_core.answers.affected.question import about_run, about_version, answered
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from lineage_core.testing import Document
from tests.support.affected_graphs import Expected, Replay, WhatHappened, expected, graph
from tests.support.mutants import changed
from tests.support.servers import Databases
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

GRAPHS = 60
VERSIONS_ASKED = 3
SLICES = 3

FLOORS = {
    "a run that affects nothing": 100,
    "a run that affects at a distance": 60,
    "a run that reads what comes of itself": 60,
    "a run that failed and read something bad": 60,
    "a run that failed and wrote what is asked about": 35,
    "a streaming job that read something bad": 70,
    "several versions of one run": 100,
    "a version that never became current": 100,
    "a version of a first reader, which names no run": 10,
    "a dataset by another name": 50,
    "a column that is stated": 100,
    "a column that may be bad": 100,
    "a version that is affected by no column": 10,
    "DAG runs in order": 70,
    "DAG runs that feed each other": 30,
    "a run outside of Airflow": 100,
    "an answer in pages": 25,
}
"""How often each situation must be met, lest the law be held where nothing can break it."""


@dataclass(frozen=True)
class FilledStore:
    store: Store
    graphs: list[list[Document]]


@pytest.fixture(scope="module")
def filled(databases: Databases, _template: str) -> Iterator[FilledStore]:
    """All graphs in one store: no graph has a name of another. They arrive mixed, in slices, most of them late."""
    graphs = [graph(number) for number in range(GRAPHS)]
    arriving = [event for one in graphs for event in one]
    Random(0).shuffle(arriving)
    with databases.copied(_template) as store:
        for place in range(SLICES):
            take_in(store, arriving[place::SLICES])
        yield FilledStore(store, graphs)


def hold(filled: FilledStore, met: Counter[str]) -> None:
    with snapshot(filled.store) as connection:
        for number, events in enumerate(filled.graphs):
            _hold_in_graph(connection, number, Replay(events).happened, met)


def _hold_in_graph(connection: Connection, number: int, happened: WhatHappened, met: Counter[str]) -> None:
    for run in sorted(happened.runs):
        wanted = expected(happened, run=run)
        found = answered(connection, about_run(connection, run))
        compare(found, wanted)
        met.update(_situations_of_run(run, wanted, happened))
        met.update(_situations(found, wanted, happened))
    versions = sorted(happened.versions)
    for version in Random(number).sample(versions, min(VERSIONS_ASKED, len(versions))):
        wanted = expected(happened, version=version)
        found = answered(connection, about_version(connection, version))
        compare(found, wanted)
        met["a version of a first reader, which names no run"] += not any(
            made == version for _, made in happened.writes
        ) and bool(wanted.runs)
        met.update(_situations(found, wanted, happened))
        met["an answer in pages"] += _compare_pages(connection, version, found)


def compare(found: AffectedAnswer, wanted: Expected) -> None:
    """Nothing wrong and nothing missing, each once, in an order in which what feeds comes first."""
    assert found.complete
    assert (found.cut, found.next) == ((), None)
    assert sorted(found.runs) == sorted(wanted.runs)
    assert sorted(found.versions) == sorted(wanted.versions)
    listed = [(one.version, one.column, one.is_stated) for one in found.columns]
    assert Counter(listed) == Counter(wanted.columns)
    assert sorted(one.run for one in found.evidence) == sorted(wanted.runs)
    again = [(one.namespace, one.dag, one.run) for one in found.reruns]
    assert Counter(again) == Counter(wanted.reruns)
    assert Counter(one.run for one in found.others) == Counter(wanted.others)
    circles = {(one, other) for one, other in _closure(wanted.fed) if (other, one) in _closure(wanted.fed)}
    for place, one in enumerate(found.reruns):
        before = {(each.namespace, each.dag, each.run) for each in one.after}
        assert before <= {*again[:place]}
        feeders = {feeder for feeder, fed in wanted.fed if fed == again[place]}
        in_circle = {feeder for feeder in feeders if (feeder, again[place]) in circles}
        assert feeders - in_circle <= before <= feeders
        assert one.is_circular == any(again[place] in pair for pair in circles)


def _closure(fed: frozenset[tuple[object, object]] | set[tuple[object, object]]) -> set[tuple[object, object]]:
    found = set(fed)
    while more := {(one, last) for one, a in found for b, last in found if a == b} - found:
        found |= more
    return found


def _compare_pages(connection: Connection, version: UUID, whole: AffectedAnswer) -> bool:
    """A page of two runs after the other has what the whole answer has, in its order."""
    found_runs, found_versions, after = list[UUID](), list[UUID](), None
    while True:
        page = answered(connection, about_version(connection, version), 2, after)
        assert page.complete == (after is None and page.next is None)
        found_runs += page.runs
        found_versions += page.versions
        after = page.next
        if after is None:
            break
    assert (found_runs, sorted(found_versions)) == (list(whole.runs), sorted(whole.versions))
    return len(found_runs) > 2


def _situations_of_run(run: UUID, wanted: Expected, happened: WhatHappened) -> Iterator[str]:
    written = {made for writer, made in happened.writes if writer == run}
    if not wanted.runs:
        yield "a run that affects nothing"
    if wanted.is_in_a_circle:
        yield "a run that reads what comes of itself"
    if run in happened.failed and written:
        yield "a run that failed and wrote what is asked about"
    if written - happened.current:
        yield "a version that never became current"
    if len(written) > 1:
        yield "several versions of one run"


def _situations(found: AffectedAnswer, wanted: Expected, happened: WhatHappened) -> Iterator[str]:
    made_on_the_way = {made for writer, made in happened.writes if writer in wanted.runs}
    if any(read.version in made_on_the_way for read in found.evidence):
        yield "a run that affects at a distance"
    if wanted.runs & happened.failed:
        yield "a run that failed and read something bad"
    if wanted.runs & happened.streaming:
        yield "a streaming job that read something bad"
    if wanted.versions & happened.linked:
        yield "a dataset by another name"
    if any(column and is_stated for _, column, is_stated in wanted.columns):
        yield "a column that is stated"
    if any(not is_stated for *_, is_stated in wanted.columns):
        yield "a column that may be bad"
    if wanted.versions - {version for version, *_ in wanted.columns}:
        yield "a version that is affected by no column"
    if any(one.after for one in found.reruns):
        yield "DAG runs in order"
    if any(one.is_circular for one in found.reruns):
        yield "DAG runs that feed each other"
    if wanted.others:
        yield "a run outside of Airflow"


def test_it_is_exactly_what_the_events_say(filled: FilledStore) -> None:
    met = Counter[str]()
    hold(filled, met)
    assert {situation: met[situation] for situation, floor in FLOORS.items() if met[situation] < floor} == {}


def test_the_store_and_the_model_know_the_same(filled: FilledStore) -> None:
    """So that no version is missing of which no one asks."""
    happened = [Replay(events).happened for events in filled.graphs]
    stored = {version for (version,) in rows(filled.store, "SELECT uuid FROM dataset_versions")}
    assert stored == set[UUID]().union(*(one.versions for one in happened))


STATEMENTS = {
    "what a first reader made is its own": (
        "answers/affected/written",
        "AND role = output_role()",
        "AND role IN (input_role(), output_role())",
    ),
    "only current versions are followed": (
        "answers/affected/written",
        ") AS named",
        ") AS named WHERE named.version IN (SELECT current_version_uuid FROM datasets)",
    ),
    "only runs that completed count": (
        "answers/affected/readers",
        ") AS named",
        ") AS named JOIN runs AS reader ON reader.uuid = named.run AND reader.current_run_state = 'COMPLETED'",
    ),
    "a task is outside of Airflow": ("answers/affected/dag_runs", "'airflow', ", ""),
    "runs have no parents": ("answers/affected/described_runs", "parent_run_uuid AS parent", "NULL::uuid AS parent"),
    "columns come of one version only": (
        "answers/affected/column_lists",
        "= ANY (%(versions)s)",
        "= (%(versions)s)[1]",
    ),
}
"""A statement, and what one mutant of it has in place of what."""


def _nothing_spreads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks._Walk, "_first_writers", lambda *_: iter(()))


def _order_is_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reruns, "_feeds", lambda *_: {})


def _pages_overlap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks._Walk, "_of_the_page", lambda _, readers: {one.run for one in readers})


def _no_circle_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reruns, "_circles", lambda fed: {one: number for number, one in enumerate(fed)})


def _lineage_of_one_input_speaks_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        columns,
        "_silent",
        lambda stating, found: {one.version for one in found.written} - {one.made for one in stating},
    )


CODE: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "what affected runs wrote is not bad": _nothing_spreads,
    "nothing feeds anything": _order_is_by_time,
    "a page has the versions of the one before": _pages_overlap,
    "DAG runs that feed each other wait for each other": _no_circle_is_seen,
    "column lineage of one input speaks for all": _lineage_of_one_input_speaks_for_all,
}


@pytest.mark.parametrize("mutant", STATEMENTS)
def test_a_mutant_of_a_statement_breaks_the_law(
    mutant: str, filled: FilledStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, old, new = STATEMENTS[mutant]
    whole = statements.named
    text = changed(whole(path), old, new, mutant, path)
    monkeypatch.setattr(statements, "named", lambda name: text if name == path else whole(name))
    with pytest.raises(AssertionError):
        hold(filled, Counter())


@pytest.mark.parametrize("mutant", CODE)
def test_a_mutant_of_the_code_breaks_the_law(mutant: str, filled: FilledStore, monkeypatch: pytest.MonkeyPatch) -> None:
    CODE[mutant](monkeypatch)
    with pytest.raises(AssertionError):
        hold(filled, Counter())
