"""The walk from a root along edges, nearest first, as far as is asked and no further than fits in an answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from itertools import count

from lineage_core.answers.graph.model import EdgeKind, Place
from lineage_core.answers.graph.store import GraphReader, HeldEdge


class Direction(Enum):
    UP = "up"
    DOWN = "down"


DIRECTIONS = {"both": tuple(Direction), **{one.value: (one,) for one in Direction}}
"""What a question may name, and which directions that is."""


WalkedEdge = tuple[Place, Place, EdgeKind, str]
"""From what to what, how, and by which job."""


@dataclass
class GraphWalk:
    """numbers: of the places in the order in which they were met, the root first; of one hop upstream before
    downstream, by their ids. edges: those that were walked, each once a job. is_cut: whether there are more places than
    fit. ends_at_depth: whether all fit, and edges may lead on from those of the last hop.
    """

    numbers: dict[Place, int]
    edges: dict[WalkedEdge, HeldEdge] = field(default_factory=dict)
    is_cut: bool = False
    ends_at_depth: bool = False

    def meet(self, place: Place, most: int) -> bool:
        """Whether the place is one of the `most` that were met first."""
        if place not in self.numbers:
            if len(self.numbers) == most:
                self.is_cut = True
                return False
            self.numbers[place] = len(self.numbers)
        return True


def walk(reader: GraphReader, root: Place, directions: Iterable[Direction], depth: int | None, most: int) -> GraphWalk:
    """Each direction is walked for itself: what is downstream of something upstream is not met.

    depth: edges from the root; None for all. most: places, the root among them.
    """
    walked = GraphWalk({root: 0})
    frontiers = [_Frontier(direction, root) for direction in directions]
    for _ in count() if depth is None else range(depth):
        for frontier in frontiers:
            frontier.step(reader, walked, most)
        if walked.is_cut or not any(frontier.places for frontier in frontiers):
            return walked
    walked.ends_at_depth = True
    return walked


class _Frontier:
    """What one direction has reached: the places of the last hop, and all before them."""

    def __init__(self, direction: Direction, root: Place) -> None:
        self.places = [root]
        self._direction = direction
        self._seen = {root}

    def step(self, reader: GraphReader, walked: GraphWalk, most: int) -> None:
        """All places of one hop are of one kind: edges lead from datasets to jobs, from jobs to datasets, from columns
        to columns."""
        if not self.places:
            return
        is_up = self._direction is Direction.UP
        read = reader.upstream if is_up else reader.downstream
        # Those that are known already may come first: so many more are asked for.
        hop = read(self.places[0].kind, self.places, 2 * most)
        walked.is_cut |= hop.is_cut
        met: dict[Place, None] = {}
        for edge in sorted(hop.edges, key=lambda one: (one.from_ if is_up else one.to).in_order):
            place = edge.from_ if is_up else edge.to
            if walked.meet(place, most):
                walked.edges[edge.from_, edge.to, edge.kind, edge.job] = edge
                met[place] = None
        self.places = [place for place in met if place not in self._seen]
        self._seen.update(met)
