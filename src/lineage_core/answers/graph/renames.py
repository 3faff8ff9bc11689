"""Datasets that had another name at an earlier moment than at a later one, and the event that shows it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID

from lineage_core.answers.graph.model import Edge, Graph, Node, NodeKind
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.identity import dataset_uuid
from lineage_core.postgres.arrays import uuid_array
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import every_row, every_value


@dataclass(frozen=True)
class Rename:
    """from_, to: the dataset under its name at the earlier moment, and at the later. One id where a symlink joins the
    two names, else two. event_order: the place of the event that shows it.
    """

    from_: Node
    to: Node
    event_order: bytes


@dataclass(frozen=True)
class Window:
    """Places in the order of events: the first behind the earlier moment, and the first behind the later."""

    since: bytes
    until: bytes


@dataclass(frozen=True)
class _OwnerOfKey:
    key_uuid: str
    dataset_uuid: str


@dataclass(frozen=True)
class _Rename:
    from_uuid: str
    from_namespace: str
    from_name: str
    to_uuid: str
    to_namespace: str
    to_name: str
    event_order: bytes

    def as_rename(self) -> Rename:
        return Rename(
            Node(self.from_uuid, NodeKind.DATASET, self.from_namespace, self.from_name),
            Node(self.to_uuid, NodeKind.DATASET, self.to_namespace, self.to_name),
            self.event_order,
        )


def renames_between(connection: Connection, before: Graph, after: Graph, window: Window) -> list[Rename]:
    """Of the datasets of the one graph that are in the other under another name."""
    earlier, later = _datasets(before), _datasets(after)
    gone, new = earlier - later, later - earlier
    by_events = _by_events(connection, earlier, window)
    by_symlinks = (one for one in _by_symlinks(connection, gone, window) if one.to.id in new)
    called_otherwise = _read(connection, "answers/graph/called_otherwise", earlier & later, window)
    found = each_once([*by_events, *by_symlinks, *(row.as_rename() for row in called_otherwise)])
    return [one for one in found if one.to.id in later]


def renamed_from(connection: Connection, datasets: Collection[str], window: Window) -> list[Rename]:
    """What became of datasets: by events that renamed them, and by symlinks of what their jobs read and write now."""
    by_events = _by_events(connection, datasets, window)
    return each_once([*by_events, *_by_symlinks(connection, datasets, window)])


def renamed_into(connection: Connection, dataset: str, window: Window) -> list[Rename]:
    """Which datasets had become this one."""
    asked = {"asked": dataset, "since": window.since, "until": window.until}
    earlier = set(every_value(connection, str, "answers/graph/earlier_names", asked)) - {dataset}
    return [one for one in renamed_from(connection, earlier, window) if one.to.id == dataset]


def each_once(renames: Iterable[Rename]) -> list[Rename]:
    """The first of each name: an event that renames is stronger than what a symlink lets one guess."""
    found = dict[Node, Rename]()
    for one in renames:
        found.setdefault(one.from_, one)
    return list(found.values())


def _by_events(connection: Connection, datasets: Collection[str], window: Window) -> list[Rename]:
    """What became of the names of datasets, however often they were renamed; of those that were not dropped since."""
    return [row.as_rename() for row in _read(connection, "answers/graph/renamed", datasets, window)]


def _by_symlinks(connection: Connection, datasets: Collection[str], window: Window) -> list[Rename]:
    """What jobs read or wrote instead of datasets that has their names as symlinks, by the runs that began so."""
    stated = _read(connection, "answers/graph/stated_names", datasets, window)
    keys = {
        row: str(UUID(bytes=dataset_uuid(formatted_namespace(row.from_namespace), row.from_name))) for row in stated
    }
    asked = {"keys": uuid_array(set(keys.values()))}
    owners = every_row(connection, _OwnerOfKey, "answers/graph/datasets_of_keys", asked)
    whose = {one.key_uuid: one.dataset_uuid for one in owners}
    return [row.as_rename() for row in stated if whose[keys[row]] == row.from_uuid != row.to_uuid]


def _read(connection: Connection, statement: str, datasets: Collection[str], window: Window) -> list[_Rename]:
    asked = {"asked": uuid_array(sorted(datasets)), "since": window.since, "until": window.until}
    return every_row(connection, _Rename, statement, asked)


def _datasets(graph: Graph) -> set[str]:
    return {_thing(node.id) for node in graph.nodes if node.kind is not NodeKind.JOB}


EdgeKey = tuple[str, str, str]
"""From what to what by their ids, and the kind."""


def going_on(came: Sequence[Edge], went: Sequence[Edge], renames: Iterable[Rename]) -> set[EdgeKey]:
    """The edges that went and came as their datasets were renamed, both ends of each pair."""
    new_ids = dict[str, str]()
    for one in renames:
        new_ids.setdefault(one.from_.id, one.to.id)
    arrived = {key_of(edge) for edge in came}
    found = set[EdgeKey]()
    for edge in went:
        after = (_renamed(edge.from_, new_ids), _renamed(edge.to, new_ids), edge.kind.value)
        if after in arrived:
            found |= {key_of(edge), after}
    return found


def key_of(edge: Edge) -> EdgeKey:
    return edge.from_, edge.to, edge.kind.value


def _renamed(id_: str, new_ids: dict[str, str]) -> str:
    """Also of a column, which keeps its own name."""
    dataset = _thing(id_)
    return new_ids.get(dataset, dataset) + id_.removeprefix(dataset)


def _thing(id_: str) -> str:
    """The dataset of a column's id; what is none is itself."""
    return id_.partition("/")[0]
