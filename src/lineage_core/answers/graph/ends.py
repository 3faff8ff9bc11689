"""What the tables say of the things at the ends of edges: whether they are there, where they ended, which have several
names. Each is looked up once for all edges of an answer, however many these are."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from lineage_core.answers.graph.orders import END
from lineage_core.answers.graph.spans import Span
from lineage_core.postgres.arrays import bytea_array, uuid_array
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, every_row

EndsOfEdge = tuple[str, tuple[str, ...]]
"""Its job, and the datasets whose endings end it."""


class Stretch(NamedTuple):
    """Between two endings of what an edge leads to and from, in the order of events.

    begins: the first moment of the job behind the last ending; None if nothing had ended. ends: the next ending.
    """

    begins: bytes | None
    ends: bytes | None

    def has(self, before: bytes) -> bool:
        """Whether it has begun before that place."""
        return self.begins is None or self.begins < before

    def part_of(self, span: Span) -> Span:
        if self.begins is None and self.ends is None:
            return span
        return Span(max(span.since, self.begins or b""), min(span.until, self.ends or span.until))


UNBROKEN = Stretch(None, None)
"""Of what leads to and from what has never ended."""


class NamedThing(NamedTuple):
    """A job or a dataset."""

    uuid: str
    namespace: str
    name: str
    is_hidden: bool
    has_several_names: bool


@dataclass(frozen=True)
class _Ending:
    dataset_uuid: str
    last_event: bytes | None
    next_event: bytes | None


@dataclass(frozen=True)
class _Resumption:
    number: int
    event_order: bytes


class Ends:
    """Of the moment before a place in the order of events, in one transaction."""

    def __init__(self, connection: Connection, before: bytes, *, is_as_known: bool) -> None:
        """is_as_known: whether the session shows what was known at another moment (`known.shown_as_known`)."""
        self._connection = connection
        self._before = before
        self._endings = composed(
            "answers/graph/endings",
            endings_of=composed(f"answers/graph/endings_{'then' if is_as_known else 'now'}"),
        )
        self._things = dict[str, NamedThing | None]()
        self._hidden = set[str]()
        self._ended = dict[str, _Ending]()

    def look_up(self, jobs: Iterable[str], datasets: Iterable[str]) -> None:
        """What is asked of things is about those that were looked up."""
        new_jobs, new_datasets = set(jobs) - self._things.keys(), set(datasets) - self._things.keys()
        if not new_jobs and not new_datasets:
            return
        asked = {"jobs": uuid_array(new_jobs), "datasets": uuid_array(new_datasets)}
        found = every_row(self._connection, NamedThing, "answers/graph/things", asked)
        self._things |= dict.fromkeys(new_jobs) | dict.fromkeys(new_datasets)
        self._things |= {one.uuid: one for one in found}
        self._hidden |= {one.uuid for one in found if one.is_hidden}
        if new_datasets:
            of_moment = {"datasets": asked["datasets"], "before": self._before}
            endings = every_row(self._connection, _Ending, self._endings, of_moment)
            self._ended |= {one.dataset_uuid: one for one in endings}

    def thing(self, uuid: str) -> NamedThing | None:
        """None if the store has no such job or dataset."""
        return self._things[uuid]

    def is_hidden(self, uuids: Iterable[str]) -> bool:
        """Whether a person has hidden any of them."""
        return bool(self._hidden) and not self._hidden.isdisjoint(uuids)

    def has_several_names(self, dataset: str) -> bool:
        thing = self._things[dataset]
        return thing is not None and thing.has_several_names

    def stretches(self, edges: Iterable[EndsOfEdge]) -> dict[EndsOfEdge, Stretch]:
        """Of edges: the one in which the moment lies, or the one behind it. Those that are not here are UNBROKEN."""
        if not self._ended:
            return {}
        broken = {edge for edge in edges if not self._ended.keys().isdisjoint(edge[1])}
        last, ends = dict[EndsOfEdge, bytes](), dict[EndsOfEdge, bytes]()
        for edge in broken:
            for ended in (self._ended[one] for one in edge[1] if one in self._ended):
                if ended.last_event is not None:
                    last[edge] = max(ended.last_event, last.get(edge, b""))
                if ended.next_event is not None:
                    ends[edge] = min(ended.next_event, ends.get(edge, END))
        resumed = self._resumed({(edge[0], event) for edge, event in last.items()})
        return {
            edge: Stretch(resumed.get((edge[0], last[edge]), END) if edge in last else None, ends.get(edge))
            for edge in broken
        }

    def _resumed(self, behind: Collection[tuple[str, bytes]]) -> dict[tuple[str, bytes], bytes]:
        """The first moments of jobs behind events, of those that have any."""
        if not behind:
            return {}
        listed = list(behind)
        asked = {
            "jobs": uuid_array(job for job, _ in listed),
            "behind": bytea_array(event for _, event in listed),
        }
        found = every_row(self._connection, _Resumption, "answers/graph/resumed", asked)
        return {listed[one.number - 1]: one.event_order for one in found}
