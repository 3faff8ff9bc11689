"""Where a graph of one store meets others: its datasets that other stores of the list know, by any of their names.

A key follows from a name alone, so it is the same in every store. What lies beyond is asked for there. See
docs/decisions/0069.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from lineage_core.answers.graph.difference import GraphDifference, graph_difference
from lineage_core.answers.graph.graph import BOTH, graph_of, graph_snapshot
from lineage_core.answers.graph.known import KnownAt
from lineage_core.answers.graph.model import DatasetElsewhere, Graph, NodeKind, Place, Root
from lineage_core.answers.graph.orders import END, order_behind, order_of
from lineage_core.answers.graph.store import GraphReader, root_place
from lineage_core.answers.graph.walking import Direction
from lineage_core.errors import LineageError, NeedsOperator, NotInStore, WrongUsage
from lineage_core.postgres.arrays import uuid_array
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, every_value, execute
from lineage_core.settings import chosen_store_from_environment, reader_dsn_of_store, store_list_from_environment

MOST_EDGES = 10_000
"""Of all datasets that another store knows, in one direction. Where there are more, lineage goes on."""

_ROLE, _APPLICATION = "lineage_reader", "lineage graph"


def other_stores() -> tuple[str, ...] | None:
    """The names of the stores of the list but the one that is worked on; None without a list."""
    listed = store_list_from_environment()
    chosen = chosen_store_from_environment()
    return None if listed is None else tuple(name for name in listed.stores if name != chosen)


def graph_over_borders(
    store: Store,
    root: Root,
    others: Sequence[str] | None,
    *,
    at: datetime | None = None,
    directions: Collection[Direction] = BOTH,
    known: KnownAt | None = None,
    **asked: Any,
) -> Graph:
    """As `graph_of`, and which of its datasets other stores know. others: their names; None where there is one store.

    The graph is complete only if lineage goes on in none of them, in a direction that was asked for, from no such
    dataset, and if each could be asked. None can be asked for what was known at another moment.
    """
    try:
        found = graph_of(store, root, at=at, directions=directions, known=known, **asked)
    except WrongUsage as unknown:
        _say_who_knows(store, root, others or (), unknown)
        raise
    if others is None:
        return found
    there = beyond(store, _datasets(found), others, directions, at, known)
    complete = found.complete and there.ends_here
    return replace(found, complete=complete, elsewhere=there.elsewhere, unasked_stores=there.unasked_stores)


def difference_over_borders(
    store: Store,
    root: Root,
    earlier: datetime,
    later: datetime,
    others: Sequence[str] | None,
    *,
    directions: Collection[Direction] = BOTH,
    from_known: KnownAt | None = None,
    to_known: KnownAt | None = None,
    **asked: Any,
) -> GraphDifference:
    """As `graph_difference`, and which datasets of the two graphs other stores know, as `graph_over_borders`."""
    found = graph_difference(
        store, root, earlier, later, directions=directions, from_known=from_known, to_known=to_known, **asked
    )
    if others is None:
        return found
    sides = (
        beyond(store, _datasets(graph), others, directions, at, known)
        for graph, at, known in ((found.before, earlier, from_known), (found.after, later, to_known))
    )
    elsewhere, unasked = dict[tuple[str, str], DatasetElsewhere](), dict[str, str]()
    for side in sides:
        unasked |= side.unasked_stores
        for one in side.elsewhere:
            known_before = elsewhere.get((one.store, one.id))
            if known_before is None or one.goes_on:
                elsewhere[one.store, one.id] = one
    there = BeyondBorders(tuple(elsewhere.values()), unasked)
    return replace(
        found,
        complete=found.complete and there.ends_here,
        elsewhere=there.elsewhere,
        unasked_stores=there.unasked_stores,
    )


def _datasets(graph: Graph) -> set[str]:
    return {node.id.partition("/")[0] for node in graph.nodes if node.kind is not NodeKind.JOB}


@dataclass(frozen=True)
class BeyondBorders:
    """What other stores know of datasets of one. unasked_stores: those that could not be asked, and why."""

    elsewhere: tuple[DatasetElsewhere, ...]
    unasked_stores: dict[str, str]

    @property
    def going_on(self) -> tuple[DatasetElsewhere, ...]:
        """Those from which lineage goes on there."""
        return tuple(one for one in self.elsewhere if one.goes_on)

    @property
    def ends_here(self) -> bool:
        """Whether it is known that lineage goes on in no other store."""
        return not self.unasked_stores and not self.going_on


def beyond(
    store: Store,
    datasets: Collection[str],
    others: Sequence[str],
    directions: Collection[Direction],
    at: datetime | None = None,
    known: KnownAt | None = None,
    read_since: datetime | None = None,
) -> BeyondBorders:
    """What other stores know of datasets of this one, and whether lineage goes on there in one of the directions.

    read_since: a moment, if lineage goes on also where a job there has read it since, and does no more.
    """
    names = _names(store, datasets)
    elsewhere, unasked = list[DatasetElsewhere](), dict[str, str]()
    for name in others:
        try:
            elsewhere += _known_in(name, names, directions, at, known, read_since)
        except LineageError as error:
            unasked[name] = str(error)
    return BeyondBorders(tuple(elsewhere), unasked)


def border_lines(elsewhere: Sequence[DatasetElsewhere], unasked: Mapping[str, str], command: str) -> Iterator[str]:
    """For people: where an answer goes on in other stores, and what asks there. command: such as `lineage impact`."""
    for one in elsewhere:
        yield (
            f"Not complete: jobs of the store {one.store} read {one.namespace} {one.name}:"
            f" lineage --store {one.store} {command}"
        )
    for name, why in unasked.items():
        yield f"Not complete: the store {name} was not asked. {why}"


@dataclass(frozen=True)
class _DatasetName:
    """A name of a dataset, by its key."""

    key: str
    dataset: str
    is_own: bool


@dataclass(frozen=True)
class _DatasetThere:
    key: str
    uuid: str
    namespace: str
    name: str


def _names(store: Store, datasets: Collection[str]) -> dict[str, _DatasetName]:
    """Of datasets of this store, by their keys."""
    with store.session(_ROLE) as connection:
        found = every_row(connection, _DatasetName, "answers/graph/names_of", {"uuids": uuid_array(datasets)})
    return {one.key: one for one in found}


def _known_in(
    name: str,
    names: dict[str, _DatasetName],
    directions: Collection[Direction],
    at: datetime | None,
    known: KnownAt | None,
    read_since: datetime | None,
) -> list[DatasetElsewhere]:
    if known is not None:
        raise NeedsOperator("What was known at another moment is asked of one store")
    with Store(reader_dsn_of_store(name)).brief_transaction(_ROLE, application_name=_APPLICATION) as connection:
        execute(connection, "answers/graph/settings")
        there = every_row(connection, _DatasetThere, "answers/graph/datasets_elsewhere", {"keys": uuid_array(names)})
        going_on = _going_on(connection, {one.uuid for one in there}, directions, at)
        if read_since is not None:
            going_on |= _read_since(connection, {one.uuid for one in there}, read_since)
    found = dict[tuple[str, str], DatasetElsewhere]()
    for one in sorted(there, key=lambda one: (not names[one.key].is_own, one.namespace, one.name)):
        here = names[one.key]
        # The same by its own name says more than by another one, and comes first.
        found.setdefault(
            (here.dataset, one.uuid),
            DatasetElsewhere(
                id=here.dataset,
                store=name,
                namespace=one.namespace,
                name=one.name,
                by_symlink=not (here.is_own and one.key == one.uuid),
                goes_on=one.uuid in going_on,
            ),
        )
    return list(found.values())


def _going_on(
    connection: Connection, datasets: Collection[str], directions: Collection[Direction], at: datetime | None
) -> set[str]:
    """The datasets that some job of that store reads or writes at the moment, as far as the directions ask."""
    if not datasets:
        return set()
    reader = GraphReader(connection, END if at is None else order_behind(at), shows_hidden=at is not None)
    places = [Place(NodeKind.DATASET, uuid) for uuid in sorted(datasets)]
    found = set[str]()
    for direction in directions:
        read = reader.upstream if direction is Direction.UP else reader.downstream
        hop = read(NodeKind.DATASET, places, MOST_EDGES)
        found |= set(datasets) if hop.is_cut else {edge.dataset for edge in hop.edges}
    return found


def _read_since(connection: Connection, datasets: Collection[str], moment: datetime) -> set[str]:
    asked = {"datasets": uuid_array(datasets), "since": order_of(moment)}
    return set(every_value(connection, str, "answers/graph/read_since", asked))


def _say_who_knows(store: Store, root: Root, others: Sequence[str], unknown: WrongUsage) -> None:
    """Raises WrongUsage with the stores that know the root, if this one does not."""
    knowing = [name for name in others if _knows(name, root)]
    if knowing and not _knows_here(store, root):
        raise NotInStore(
            f"{unknown} In the list of stores, {', '.join(knowing)} knows it: `lineage --store {knowing[0]} graph` asks"
            " there."
        ) from unknown


def _knows_here(store: Store, root: Root) -> bool:
    try:
        with graph_snapshot(store) as connection:
            root_place(connection, root)
    except WrongUsage:
        return False
    return True


def _knows(name: str, root: Root) -> bool:
    try:
        with Store(reader_dsn_of_store(name)).brief_transaction(_ROLE, application_name=_APPLICATION) as connection:
            root_place(connection, root)
    except LineageError:
        return False
    return True
