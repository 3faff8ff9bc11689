"""What a run of the main job reads, as values: slices of lineage_events, cut by bytes, each divided among tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lineage_core.errors import NeedsOperator

Position = tuple[int, int]
"""A place in the order in which events are read: (transaction, number in it), or (event time in µs, arrival number)."""

START: Position = (-(1 << 63), -(1 << 63))
"""Before the first event."""

SLICE_BYTES, MOST_SLICE_BYTES = 64 << 20, 256 << 20
"""Text of events that the first merge of a run takes in, and that one takes in at most, unless a run says otherwise."""

MOST_EVENTS = 100_000
"""Events in a slice: the places of all of them are held while it is cut."""

SHORT, LONG = 30.0, 90.0
"""Seconds of a merge behind which slices become larger, and smaller."""

AT_ONCE = 32 << 20
"""Text of events that tasks work on at the same time, by the largest event of the slice: each takes many times its
text. A larger event is worked on alone."""

LARGE = 4 << 20
"""Bytes of text of an event whose part is staged in a process of its own: Python keeps much of the memory that it took
until a process ends, and Spark keeps its workers."""


@dataclass(frozen=True)
class SliceEvent:
    """One event that waits: its place and the size of its text in bytes."""

    position: Position
    size: int


@dataclass(frozen=True)
class SlicePart:
    """What one task reads: the events behind `after`, up to and with `until`.

    size, largest: bytes of text of all of them, and of the largest.
    """

    after: Position
    until: Position
    events: int
    size: int
    largest: int


@dataclass(frozen=True)
class Slice:
    """What one merge takes in. `number` counts from 1 within a run."""

    number: int
    parts: tuple[SlicePart, ...]

    @property
    def events(self) -> int:
        return sum(part.events for part in self.parts)

    @property
    def size(self) -> int:
        return sum(part.size for part in self.parts)

    @property
    def until(self) -> Position:
        return self.parts[-1].until


class SliceSize:
    """How many bytes of text the next slice of a run takes.

    A merge writes what many events say again once, so large slices cost much less where jobs and datasets return
    seldom. But what one transaction holds up, and what a kill undoes, is to be short. So slices grow while merges are.
    """

    def __init__(self, given: int | None) -> None:
        """given: what a run is to take each time, None to find out."""
        self.bytes = SLICE_BYTES if given is None else given
        self._is_given = given is not None

    def note(self, merged: Slice, seconds: float) -> None:
        """After the merge of a slice, which took so long."""
        if self._is_given:
            return
        if seconds > LONG:
            self.bytes = max(SLICE_BYTES, self.bytes // 2)
        elif seconds < SHORT and merged.size >= self.bytes:
            self.bytes = min(MOST_SLICE_BYTES, 2 * self.bytes)


def cut(
    number: int, after: Position, waiting: Iterable[SliceEvent], slice_bytes: int, tasks: Callable[[], int]
) -> Slice | None:
    """The next slice of the events that wait in order, None if none do.

    It ends with the event that fills `slice_bytes`, or is the last of `MOST_EVENTS`; a single event may be larger. Each
    of at most `tasks()` parts gets about an equal share of the bytes. Where events are large there are fewer parts, so
    that memory stays bounded. How many tasks there are is asked only if something waits: to know it, Spark must have
    been started.

    Raises NeedsOperator if the events do not wait in order behind `after`: to go on with them would never end.
    """
    taken = list(_fill(_in_order(after, waiting), slice_bytes))
    if not taken:
        return None
    largest = max(event.size for event in taken)
    fitting = max(1, AT_ONCE // max(1, largest))
    return Slice(number, tuple(_divide(after, taken, min(tasks(), fitting))))


def slice_halves(refused: Slice, after: Position, events: Sequence[SliceEvent], tasks: int) -> Iterator[Slice]:
    """The events that are still there of a slice, as two slices of its number; one, if there is one event."""
    middle = len(events) // 2
    for some in (events[:middle], events[middle:]):
        half = cut(refused.number, after, some, refused.size, lambda: tasks)
        if half is not None:
            yield half
            after = half.until


def _in_order(after: Position, waiting: Iterable[SliceEvent]) -> Iterator[SliceEvent]:
    before = after
    for event in waiting:
        if event.position == after or event.position < before:
            raise NeedsOperator(
                f"The events that wait are not in order: {event.position} comes after {before}. To continue would"
                " read them for ever, so the run ends; what it has merged stays. `lineage db check` says whether the"
                " functions of the database are those of this release"
            )
        yield event
        before = event.position


def _fill(waiting: Iterable[SliceEvent], slice_bytes: int) -> Iterator[SliceEvent]:
    size = 0
    for number, event in enumerate(waiting, 1):
        yield event
        size += event.size
        if size >= slice_bytes or number == MOST_EVENTS:
            return


def _divide(after: Position, taken: Sequence[SliceEvent], tasks: int) -> Iterator[SlicePart]:
    total = sum(event.size for event in taken)
    passed = events = size = largest = 0
    for event in taken:
        share = passed * tasks // total + 1
        events, size, largest = events + 1, size + event.size, max(largest, event.size)
        if (passed + size) * tasks >= share * total:
            yield SlicePart(after, event.position, events, size, largest)
            after, passed, events, size, largest = event.position, passed + size, 0, 0, 0
