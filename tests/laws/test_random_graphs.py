"""Each answer about lineage on 10,000 random graphs, against the models of the other laws: cycles, symlinks, renames.

What is purged changes no answer about a moment behind the horizon. `explain` has no model: planted faults are its law.
500 of each kind of graph take ten minutes on two cores, all of them four hours; `-k 'graphs-0-'` asks the first 500.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from random import Random
from uuid import UUID

import pytest

from lineage_core.answers.graph.difference import GraphDifference, graph_difference
from lineage_core.answers.graph.graph import graph_of
from lineage_core.answers.graph.model import Edge, NodeKind, Place, Root
from lineage_core.answers.graph.orders import time_of
from lineage_core.postgres.store import Store
from lineage_core.retention import application as retention
from lineage_core.retention.policies import Policy
from lineage_core.retention.store.policies import set_policy
from lineage_core.retention.tables import PolicyKind
from lineage_core.testing import TIME, Document
from tests.laws import test_affected, test_impact
from tests.support import affected_graphs, changed_columns
from tests.support.graphs_by_hand import Held, History, Thing, history, of_tables
from tests.support.servers import Databases
from tests.support.stores import rows, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.long]

GRAPHS, OF_A_TEST, IN_A_STORE = 10_000, 500, 20
MOMENTS, ROOTS, SLICES = 3, 3, 3
END = TIME + timedelta(minutes=10_000)
KEPT = timedelta(days=3)
HORIZON = END - KEPT

FLOORS = {"cycles": 50, "came": 500, "went": 200, "renames": 50, "purged runs": 100, "ended": 1_000, "broken": 100}
"""Of the graphs of one test."""

Key = tuple[str, str, str]
"""Of an edge: from what to what by their ids, and its kind."""

Renamed = tuple[UUID, UUID, datetime]
"""Which dataset became which, and when."""

NAMED = "coalesce(old.uuid, ending.name_uuid), coalesce(new.uuid, ending.renamed_to)"
JOINED = """
LEFT JOIN identity_map AS old ON old.entity = 'datasets' AND old.key_uuid = ending.name_uuid
LEFT JOIN identity_map AS new ON new.entity = 'datasets' AND new.key_uuid = ending.renamed_to
WHERE ending.renamed_to IS NOT NULL
"""


@pytest.mark.parametrize("first", range(0, GRAPHS, OF_A_TEST), ids=lambda first: f"graphs-{first}-")
def test_answers_about_random_graphs_are_what_their_events_say(
    first: int, databases: Databases, _template: str
) -> None:
    met = Counter[str]()
    for begin in range(first, first + OF_A_TEST, IN_A_STORE):
        numbers = range(begin, begin + IN_A_STORE)
        with databases.copied(_template) as store:
            arrive(store, changed_columns.graph, numbers)
            hold(store, numbers, met)
        with databases.copied(_template) as store:
            graphs = arrive(store, affected_graphs.graph, numbers)
            test_affected.hold(test_affected.FilledStore(store, graphs), met)
    assert {kind: met[kind] for kind, floor in FLOORS.items() if met[kind] < floor} == {}, met


def arrive(store: Store, graph: Callable[[int], list[Document]], numbers: Sequence[int]) -> list[list[Document]]:
    """The graphs, whose events arrive mixed, in slices, most of them late."""
    graphs = [graph(number) for number in numbers]
    arriving = [event for one in graphs for event in one]
    Random(numbers[0]).shuffle(arriving)
    for place in range(SLICES):
        take_in(store, arriving[place::SLICES])
    return graphs


def hold(store: Store, numbers: Sequence[int], met: Counter[str]) -> None:
    held = history(store)
    asked = test_impact.Asked(store, list(test_impact.questions(store, held, numbers)))
    random = Random(numbers[0])
    turns = sorted({time for spans in held.spans.values() for one in spans for time in (one.since, one.until) if time})
    moments = [*random.sample(turns, MOMENTS), HORIZON, None]
    for moment in moments:
        assert of_tables(store, moment) == held.at(moment), moment
    hold_of_roots(store, held, turns, random, met)
    test_impact.hold(asked, met)
    met["purged runs"] += purge(store)
    for moment in (one for one in moments if one is None or one >= HORIZON):
        assert ends(of_tables(store, moment)) == ends(held.at(moment)), moment
    test_impact.hold(asked, met)
    met["ended"] += sum(1 for spans in held.spans.values() for one in spans if one.until)


def purge(store: Store) -> int:
    """How many runs went."""
    set_policy(store, Policy(PolicyKind.RUNS, "*", KEPT, keep_last=0))
    ((before,),) = rows(store, "SELECT count(*) FROM runs")
    retention.apply(store, retention.plan(store, END))
    ((after,),) = rows(store, "SELECT count(*) FROM runs")
    return int(before - after)


def ends(held: Mapping[Held, tuple[datetime, datetime | None]]) -> dict[Held, datetime | None]:
    """Until when each edge holds. Of one to a dataset that was dropped before a purge, the beginning may be gone."""
    return {edge: until for edge, (_, until) in held.items()}


def hold_of_roots(store: Store, held: History, turns: Sequence[datetime], random: Random, met: Counter[str]) -> None:
    """The graphs around some things at two moments each, and what changed between these."""
    roots = list(_roots(store))
    renames = list(_renames(store))
    asked = list[tuple[Root, Place, datetime, datetime]]()
    for root, place in random.sample(roots, ROOTS * IN_A_STORE):
        earlier, later = sorted(random.sample(turns, 2))
        asked.append((root, place, earlier, later))
    for root, place in roots:
        for old, new, time in renames:
            if UUID(place.uuid) in (old, new):
                asked += [(root, place, time - timedelta(microseconds=1), later) for later in (time, END)]
    for root, place, earlier, later in asked:
        for moment in (earlier, later):
            found = graph_of(store, root, at=moment)
            assert found.complete
            assert keys(found.edges) == walked(held.at(moment), place), (root, moment)
            met["cycles"] += has_cycle(keys(found.edges))
        compare(graph_difference(store, root, earlier, later), held, place, renames, met)


def _roots(store: Store) -> Iterator[tuple[Root, Place]]:
    columns = """
        SELECT dataset.uuid, namespace_name, dataset.name, field.name
        FROM datasets AS dataset
        JOIN dataset_fields AS field ON field.dataset_uuid = dataset.uuid
    """
    statements = {
        NodeKind.DATASET: "SELECT uuid, namespace_name, name, NULL FROM datasets",
        NodeKind.JOB: "SELECT uuid, namespace_name, name, NULL FROM jobs",
        NodeKind.COLUMN: columns,
    }
    for kind, statement in statements.items():
        for uuid, namespace, name, column in sorted(rows(store, statement)):
            yield Root(kind, namespace, name, column), Place(kind, str(uuid), column)


def _renames(store: Store) -> Iterator[Renamed]:
    for old, new, order in rows(store, f"SELECT {NAMED}, event_order FROM dataset_endings AS ending {JOINED}"):
        yield old, new, time_of(order)


def compare(found: GraphDifference, held: History, root: Place, renames: Sequence[Renamed], met: Counter[str]) -> None:
    """A root that was renamed is another one at the moment at which it has no edge."""
    before, after = held.at(found.from_), held.at(found.to)
    old, new = walked(before, root), walked(after, root)
    of_root = [one for one in found.renamed if root.uuid == (one.from_ if old else one.to).id]
    if of_root and old and not new:
        new = walked(after, Place(root.kind, of_root[0].to.id, root.column))
    elif of_root and new and not old:
        old = walked(before, Place(root.kind, of_root[0].from_.id, root.column))
    assert keys(found.came) == new - old
    assert keys(found.went) == old - new
    new_ids = dict[str, str]()
    for each in found.renamed:
        new_ids.setdefault(each.from_.id, each.to.id)
    for one, other, time in renames:
        if found.from_ < time <= found.to and one != other and is_in(old, one) and is_in(new, other):
            assert new_ids[str(one)] == str(other)
    moved = {edge: (renamed(edge[0], new_ids), renamed(edge[1], new_ids), edge[2]) for edge in old - new}
    by_rename = {edge for edge, other in moved.items() if other in new - old}
    assert keys(edge for edge in found.went if edge.by_rename) == by_rename
    assert keys(edge for edge in found.came if edge.by_rename) == {moved[edge] for edge in by_rename}
    met.update({"came": len(found.came), "went": len(found.went), "renames": len(found.renamed)})


def is_in(edges: set[Key], dataset: UUID) -> bool:
    return any(end.partition("/")[0] == str(dataset) for edge in edges for end in edge[:2])


def renamed(id_: str, new_ids: Mapping[str, str]) -> str:
    dataset, slash, column = id_.partition("/")
    return new_ids.get(dataset, dataset) + slash + column


def keys(edges: Iterable[Edge]) -> set[Key]:
    return {(edge.from_, edge.to, edge.kind.value) for edge in edges}


def walked(held: Iterable[Held], root: Place) -> set[Key]:
    """All edges that lead to it, and all that lead from it."""
    edges = [one for one in held if (one[0] == "derives") == (root.kind is NodeKind.COLUMN)]
    found = set[Key]()
    for near, far in ((3, 2), (2, 3)):
        following = defaultdict[Thing, list[Held]](list)
        for one in edges:
            following[one[near]].append(one)  # type: ignore[index]
        seen, waiting = set[Thing](), [(UUID(root.uuid), root.column or "")]
        while waiting:
            thing = waiting.pop()
            if thing not in seen:
                seen.add(thing)
                found |= {(id_of(one[2]), id_of(one[3]), one[0]) for one in following[thing]}
                waiting += [one[far] for one in following[thing]]  # type: ignore[misc]
    return found


def id_of(thing: Thing) -> str:
    return f"{thing[0]}/{thing[1]}" if thing[1] else str(thing[0])


def has_cycle(edges: set[Key]) -> bool:
    left = {(from_, to) for from_, to, _ in edges}
    while open_ := {(from_, to) for from_, to in left if to in {one for one, _ in left}}:
        if open_ == left:
            return True
        left = open_
    return False
