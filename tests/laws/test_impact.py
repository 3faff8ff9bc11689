"""Law of `lineage impact`: exactly the consumers and verdicts of a model that is written apart and knows raw events."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from uuid import UUID

import pytest

from lineage_core.answers.impact import walk
from lineage_core.answers.impact.impact import impact_on
from lineage_core.answers.impact.model import Impact, SchemaToCome
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot
from tests.support.changed_columns import (
    Consumed,
    ExpectedConsumer,
    Reading,
    expected,
    graph,
    namespace,
)
from tests.support.graphs_by_hand import Held, History, history
from tests.support.mutants import Mutant, broken
from tests.support.servers import Databases
from tests.support.stores import rows, take_in

pytestmark = pytest.mark.postgres

GRAPHS = 76
ASKED = 3
SLICES = 3

FLOORS = {
    "broken": 60,
    "unknown": 80,
    "safe": 50,
    "broken at a distance": 20,
    "unknown behind what is broken": 20,
    "no one": 10,
    "a job that makes nothing": 40,
    "the dataset itself": 20,
    "a column within a column": 10,
    "a column with a dot in its name": 10,
    "a dataset by several names": 20,
    "read by column lineage alone": 10,
    "an edge that ended": 40,
    "more behind the depth": 20,
    "an answer in pages": 20,
}
"""How often each situation must be met, lest the law be held where nothing can break it."""


@dataclass(frozen=True)
class Question:
    """One dataset of one graph, and columns of it that are dropped."""

    root: UUID
    dropped: tuple[str, ...]
    reading: Reading
    aliases: frozenset[UUID]
    has_ended: bool


@dataclass(frozen=True)
class Asked:
    store: Store
    questions: list[Question]


@pytest.fixture(scope="module")
def asked(databases: Databases, _template: str) -> Iterator[Asked]:
    """All graphs in one store: no graph has a name of another. They arrive mixed, in slices, most of them late."""
    arriving = [event for number in range(GRAPHS) for event in graph(number)]
    Random(0).shuffle(arriving)
    with databases.copied(_template) as store:
        for place in range(SLICES):
            take_in(store, arriving[place::SLICES])
        yield Asked(store, list(questions(store, history(store), range(GRAPHS))))


def questions(store: Store, held: History, numbers: Sequence[int]) -> Iterator[Question]:
    """Of the graphs of these numbers, which are in the store."""
    datasets = defaultdict[str, list[UUID]](list)
    for where, uuid in rows(store, "SELECT namespace_name, uuid FROM datasets ORDER BY 1, 2"):
        datasets[where].append(uuid)
    aliases = frozenset(
        uuid for (uuid,) in rows(store, "SELECT uuid FROM identity_map WHERE entity = 'datasets' AND uuid <> key_uuid")
    )
    jobs = {uuid: (where, name) for uuid, where, name in rows(store, "SELECT uuid, namespace_name, name FROM jobs")}
    now = defaultdict[str, list[Held]](list)
    for edge, spans in held.spans.items():
        if spans[-1].until is None:
            now[jobs[edge[1]][0]].append(edge)
    ended = {jobs[edge[1]][0] for edge, spans in held.spans.items() if spans[-1].until}
    for number in numbers:
        random, where = Random(number), namespace(number)
        reading = Reading.of(now[where])
        for root in random.sample(datasets[where], min(ASKED, len(datasets[where]))):
            dropped = tuple(random.sample(("a", "b", "c", "c.d", "a.x"), random.choice((1, 1, 2))))
            yield Question(root, dropped, reading, aliases, where in ended)


def hold(asked: Asked, met: Counter[str]) -> None:
    with snapshot(asked.store) as connection:
        for number, question in enumerate(asked.questions):
            _hold_of(connection, number, question, met)


def _hold_of(connection: Connection, number: int, question: Question, met: Counter[str]) -> None:
    wanted = expected(question.reading, question.root, question.dropped)
    found = ask(connection, question)
    assert found.complete
    assert consumed(found) == wanted
    counted = Counter(one.verdict for one in wanted.values())
    assert (found.counts.broken, found.counts.unknown, found.counts.safe) == tuple(
        counted[verdict] for verdict in ("broken", "unknown", "safe")
    )
    met.update(_situations(question, wanted))
    if number % 4 == 0:
        met.update(_parts(connection, question, found))


def ask(
    connection: Connection, question: Question, depth: int | None = None, after: str | None = None, limit: int = 99
) -> Impact:
    change = SchemaToCome(dropped=question.dropped)
    return impact_on(connection, str(question.root), change, depth=depth, after=after, limit=limit)


def consumed(found: Impact) -> dict[Consumed, ExpectedConsumer]:
    consumers = {
        (UUID(one.job_uuid), UUID(one.dataset_uuid) if one.dataset_uuid else None): ExpectedConsumer(
            one.verdict.value, one.columns, one.hops
        )
        for one in found.consumers
    }
    assert len(consumers) == len(found.consumers)
    return consumers


def _parts(connection: Connection, question: Question, whole: Impact) -> Iterator[str]:
    """Pages have together what the whole has, and a depth has what the model finds up to there."""
    first = ask(connection, question, limit=1)
    if first.next:
        yield "an answer in pages"
        rest = ask(connection, question, after=first.next)
        assert (*first.consumers, *rest.consumers) == whole.consumers
    for depth in (1, 2):
        near = ask(connection, question, depth=depth)
        assert consumed(near) == expected(question.reading, question.root, question.dropped, depth)
        if near.consumers != whole.consumers:
            yield "more behind the depth"
            assert not near.complete


def _situations(question: Question, wanted: dict[Consumed, ExpectedConsumer]) -> Iterator[str]:
    yield from {one.verdict for one in wanted.values()}
    if not wanted:
        yield "no one"
    if any(one.verdict == "broken" and one.hops > 1 for one in wanted.values()):
        yield "broken at a distance"
    broken = {made for (_, made), one in wanted.items() if one.verdict == "broken"}
    if any(
        one.verdict == "unknown" and question.reading.reads[job] & broken and one.hops > 1
        for (job, _), one in wanted.items()
    ):
        yield "unknown behind what is broken"
    if any(made is None for _, made in wanted):
        yield "a job that makes nothing"
    if any(made == question.root for _, made in wanted):
        yield "the dataset itself"
    columns = {column for one in wanted.values() for column in one.columns}
    if {"a.x", "a.y"} & columns:
        yield "a column within a column"
    if "c.d" in columns:
        yield "a column with a dot in its name"
    reached = {question.root} | {made for _, made in wanted if made}
    if reached & question.aliases:
        yield "a dataset by several names"
    if any((job, one) not in question.reading.declared for job, _ in wanted for one in question.reading.reads[job]):
        yield "read by column lineage alone"
    if question.has_ended:
        yield "an edge that ended"


def test_it_is_exactly_what_the_events_say(asked: Asked) -> None:
    met = Counter[str]()
    hold(asked, met)
    assert {situation: (met[situation], floor) for situation, floor in FLOORS.items() if met[situation] < floor} == {}


STATEMENTS = (
    Mutant(
        "columns of other inputs are taken for those of the dataset",
        "answers/impact/taken",
        "WHERE pair.dataset = stated.name_uuid",
        "WHERE true",
    ),
    Mutant("descriptions of before count", "answers/impact/taken", "AND edge.until_event = '\\xff'", ""),
    Mutant(
        "a dataset that was dropped is taken",
        "answers/impact/taken",
        "    WHERE NOT EXISTS (",
        "    WHERE true OR NOT EXISTS (",
    ),
    Mutant("columns are taken by one name alone", "answers/impact/taken", "AND known.uuid = asked.uuid", "AND false"),
    Mutant("each dot leads into a column", "answers/impact/dotted_columns", "> 0", "> 99"),
)


def _unknown_spreads_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = walk.Impacts._is_unknown
    monkeypatch.setattr(
        walk.Impacts,
        "_is_unknown",
        lambda self, dataset, consuming: dataset not in self._unknown and judge(self, dataset, consuming),
    )


def _a_job_that_tells_nothing_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk.Impacts, "_is_unknown", lambda self, dataset, _: dataset in self._unknown)


def _capitals_tell_columns_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk.ColumnPaths, "alike", lambda *_: ())


def _a_job_tells_of_all_that_it_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        walk.Impacts,
        "_is_unknown",
        lambda self, dataset, consuming: (
            dataset in self._unknown
            or (
                bool(self._columns[dataset])
                and consuming[0] not in {job for job, _ in self._readings.readers[dataset].taken}
            )
        ),
    )


def _columns_within_are_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk.ColumnPaths, "meet", lambda self, path: path in self._paths)
    monkeypatch.setattr(walk.ColumnPaths, "alike", lambda *_: ())


def _only_inputs_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walk.Readings, "_taken", lambda *_: [])


def _a_dataset_is_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    reach, seen = walk.Impacts._reach, set[tuple[int, str]]()

    def once(self: walk.Impacts, spread: walk._Spread) -> Iterator[str]:
        for dataset in reach(self, spread):
            if (id(self), dataset) not in seen:
                seen.add((id(self), dataset))
                yield dataset

    monkeypatch.setattr(walk.Impacts, "_reach", once)


CODE: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "what is behind the unknown is safe": _unknown_spreads_nothing,
    "a job that tells nothing is safe": _a_job_that_tells_nothing_is_safe,
    "columns in other capitals are others": _capitals_tell_columns_apart,
    "a job tells of all that it makes": _a_job_tells_of_all_that_it_makes,
    "columns within columns are others": _columns_within_are_others,
    "column lineage says nothing": _only_inputs_are_read,
    "a dataset is walked once": _a_dataset_is_walked_once,
}


@pytest.mark.long
@pytest.mark.parametrize("mutant", STATEMENTS, ids=lambda mutant: mutant.name)
def test_a_mutant_of_a_statement_breaks_the_law(mutant: Mutant, asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(mutant, monkeypatch)
    with pytest.raises(AssertionError):
        hold(asked, Counter())


@pytest.mark.long
@pytest.mark.parametrize("mutant", CODE)
def test_a_mutant_of_the_code_breaks_the_law(mutant: str, asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    CODE[mutant](monkeypatch)
    with pytest.raises(AssertionError):
        hold(asked, Counter())
