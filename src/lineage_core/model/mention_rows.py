"""Rows that follow from what an event says of one thing, and from when it says so: nothing else of the event.

Of all events that say the same of it, only the first and the last can win a column of a folded table. So no rows
need be made of those between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from lineage_core.declare.vocabulary import Row
from lineage_core.openlineage.events import AnyMention, Event, Moment

RowsOfOne: TypeAlias = Callable[[Any, Moment], Iterable[Row]]


class RowsOfMentions:
    """The rows of a table that are made of each mention of some kinds, as `Table.rows` of an event has them."""

    def __init__(self, kinds: tuple[type[AnyMention], ...], of_one: RowsOfOne) -> None:
        self.kinds = kinds
        """Classes of mentions that make rows."""
        self.of_one = of_one
        """Makes the rows of one of them, which an event of that moment has."""

    def __call__(self, event: Event) -> Iterator[Row]:
        for mention in event.mentions:
            if isinstance(mention, self.kinds):
                yield from self.of_one(mention, event.moment)


def of_each(*kinds: type[AnyMention]) -> Callable[[RowsOfOne], RowsOfMentions]:
    """Decorates a function that makes the rows of one mention of these kinds."""

    def decorate(of_one: RowsOfOne) -> RowsOfMentions:
        return RowsOfMentions(kinds, of_one)

    return decorate


class Sightings:
    """The first and the last moment of each mention that events share.

    Its rows are made once, with the event that is met first. The other moments that may win a column are given when all
    events were met.
    """

    def __init__(self) -> None:
        self._seen: dict[int, _Sighting] = {}

    def know(self, mention: AnyMention) -> bool:
        """Whether an event noted before has it, so that its rows were made."""
        return id(mention) in self._seen

    def note(self, event: Event) -> None:
        """An event whose rows were made, but for those of mentions that were known before it."""
        for mention in event.mentions:
            if not mention.is_shared:
                continue
            sighting = self._seen.get(id(mention))
            if sighting is None:
                self._seen[id(mention)] = _Sighting(mention, event.moment)
            else:
                sighting.widen(event.moment)

    def drain(self) -> Iterator[tuple[AnyMention, Moment]]:
        """Each mention with the moments of which no rows were made. All is forgotten with it."""
        seen, self._seen = self._seen, {}
        for sighting in seen.values():
            for moment in sighting.left():
                yield sighting.mention, moment


class _Sighting:
    __slots__ = ("_first", "_last", "_made", "mention")

    def __init__(self, mention: AnyMention, moment: Moment) -> None:
        # The mention itself: an id belongs to an object for as long as there is a reference to it.
        self.mention = mention
        self._made = self._first = self._last = moment

    def widen(self, moment: Moment) -> None:
        if moment.order < self._first.order:
            self._first = moment
        if moment.newest_order > self._last.newest_order:
            self._last = moment

    def left(self) -> set[Moment]:
        return {self._first, self._last} - {self._made}
