"""The time that a graph can be asked for: from when on there are edges of its root, and when they came and went."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from typing_extensions import TypedDict

from lineage_core.answers.graph.graph import graph_snapshot
from lineage_core.answers.graph.model import Edge, NodeKind, Root
from lineage_core.answers.graph.orders import END, time_of
from lineage_core.answers.graph.store import root_place
from lineage_core.answers.snapshots import as_of
from lineage_core.pages.rows import listed
from lineage_core.postgres.store import Store

MOST_EDGES = 500
"""Of the root, of which the moments are looked at."""

MOST_MOMENTS = 300
"""Of one answer, the last ones."""


HistoryDocument = TypedDict(
    "HistoryDocument", {"complete": bool, "from": datetime, "to": datetime, "moments": tuple[datetime, ...]}
)


class _EdgeMoments(TypedDict):
    """By the order of events."""

    since_event: bytes
    until_event: bytes


@dataclass(frozen=True)
class GraphHistory:
    """from_, to: the first moment with an edge of the root, and now; both the same where there was none. moments: when
    its edges, and those that are shown, came or went, in order. complete: whether these are all, else the last ones."""

    complete: bool
    from_: datetime
    to: datetime
    moments: tuple[datetime, ...]

    def document(self) -> HistoryDocument:
        """As the page has it."""
        return {"complete": self.complete, "from": self.from_, "to": self.to, "moments": self.moments}


def graph_history(store: Store, root: Root, shown: Iterable[Edge]) -> GraphHistory:
    """Of a column, that of its dataset. shown: the edges of the graph. Raises WrongUsage for a root that no event has
    named."""
    with graph_snapshot(store) as connection:
        kind = "job" if root.kind is NodeKind.JOB else "dataset"
        asked = {kind: root_place(connection, root).uuid}
        found = listed(connection, _EdgeMoments, f"moments_of_{kind}", MOST_EDGES, **asked)
        now = as_of(connection)
    places = {place for edge in found.rows for place in (edge["since_event"], edge["until_event"])} - {END}
    own = [time_of(place) for place in places]
    first = min(own, default=now)
    changed = (time for edge in shown for time in (edge.since, edge.until) if time is not None)
    moments = tuple(sorted({time for time in (*own, *changed) if first <= time <= now}))
    is_complete = found.complete and len(moments) <= MOST_MOMENTS
    return GraphHistory(is_complete, min(first, now), now, moments[-MOST_MOMENTS:])
