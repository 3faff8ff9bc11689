"""Slices: what was listed is read once, in order, and no task of a slice has nothing to do."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lineage_core.errors import NeedsOperator
from lineage_core.normalize.slices import MOST_EVENTS, START, Slice, SliceEvent, SlicePart, SliceSize, cut, slice_halves

LISTS = st.lists(st.tuples(st.integers(0, 1 << 40), st.integers(1, 100)), max_size=40, unique_by=lambda pair: pair[0])


def listed(pairs: list[tuple[int, int]]) -> list[SliceEvent]:
    return [SliceEvent((transaction, 0), size) for transaction, size in sorted(pairs)]


def all_slices(waiting: list[SliceEvent], slice_bytes: int, tasks: int) -> list[Slice]:
    slices: list[Slice] = []
    after = START
    while found := cut(
        len(slices) + 1, after, [one for one in waiting if one.position > after], slice_bytes, lambda: tasks
    ):
        slices.append(found)
        after = found.until
    return slices


@given(pairs=LISTS, slice_bytes=st.integers(1, 300), tasks=st.integers(1, 7))
@example(pairs=[(1, 1), (2, 100), (3, 1)], slice_bytes=1_000, tasks=3)
@example(pairs=[(number, 1) for number in range(3)], slice_bytes=1_000, tasks=7)
def test_slices_cover_what_waits_once_and_in_order(pairs: list[tuple[int, int]], slice_bytes: int, tasks: int) -> None:
    waiting = listed(pairs)
    slices = all_slices(waiting, slice_bytes, tasks)
    parts = [part for planned in slices for part in planned.parts]
    assert [planned.number for planned in slices] == list(range(1, len(slices) + 1))
    assert all(one.until == other.after for one, other in pairwise(parts))
    assert (parts[0].after, parts[-1].until) == (START, waiting[-1].position) if parts else waiting == []
    for part in parts:
        covered = [one for one in waiting if part.after < one.position <= part.until]
        assert covered
        assert (part.events, part.size) == (len(covered), sum(one.size for one in covered))


@given(pairs=LISTS, slice_bytes=st.integers(1, 300), tasks=st.integers(1, 7))
def test_a_slice_ends_with_the_event_that_fills_it(pairs: list[tuple[int, int]], slice_bytes: int, tasks: int) -> None:
    waiting = listed(pairs)
    slices = all_slices(waiting, slice_bytes, tasks)
    sizes = {one.position: one.size for one in waiting}
    assert all(planned.size >= slice_bytes for planned in slices[:-1])
    assert all(planned.size - sizes[planned.until] < slice_bytes for planned in slices)
    assert sum(planned.events for planned in slices) == len(waiting)


@given(pairs=LISTS.filter(bool), tasks=st.integers(1, 7))
def test_parts_have_about_equal_shares(pairs: list[tuple[int, int]], tasks: int) -> None:
    waiting = listed(pairs)
    planned = cut(1, START, waiting, 1 << 30, lambda: tasks)
    assert planned is not None
    assert 1 <= len(planned.parts) <= min(tasks, len(waiting))
    largest = max(one.size for one in waiting)
    assert max(part.size for part in planned.parts) < planned.size / tasks + largest


def test_an_event_larger_than_a_slice_is_a_slice() -> None:
    planned = cut(1, START, [SliceEvent((1, 0), 64 << 20), SliceEvent((2, 0), 1)], 1 << 20, lambda: 4)
    assert planned is not None
    assert (planned.events, planned.until) == (1, (1, 0))


def test_no_more_is_listed_than_a_slice_takes() -> None:
    """What waits is fetched as it is asked for; to look at all of it would read the whole table for each slice."""
    asked = []

    def endless() -> object:
        for number in range(1_000):
            asked.append(number)
            yield SliceEvent((number, 0), 10)

    cut(1, START, endless(), 30, lambda: 2)  # type: ignore[arg-type]
    assert len(asked) == 3


def test_a_slice_has_no_more_events_than_are_held() -> None:
    waiting = [SliceEvent((1, place), 1) for place in range(MOST_EVENTS + 1)]
    planned = cut(1, START, waiting, 1 << 30, lambda: 4)
    assert planned is not None
    assert planned.events == MOST_EVENTS


@pytest.mark.parametrize(
    ("given", "merges", "mebibytes"),
    [
        (None, [(64, 5.0)], 128),
        (None, [(64, 5.0), (128, 9.0), (256, 29.0)], 256),
        (None, [(63, 5.0)], 64),  # no more waits
        (None, [(64, 45.0)], 64),
        (None, [(64, 5.0), (128, 91.0)], 64),
        (None, [(64, 91.0)], 64),
        (8 << 20, [(8, 1.0), (8, 100.0)], 8),
    ],
)
def test_slices_grow_while_merges_are_short(given: int | None, merges: list[tuple[int, float]], mebibytes: int) -> None:
    size = SliceSize(given)
    for text, seconds in merges:
        size.note(Slice(1, (SlicePart(START, (1, 1), 1, text << 20, 10),)), seconds)
    assert size.bytes == mebibytes << 20


@pytest.mark.parametrize("places", [[0], [0, 1], [-1], [2, 1]])
def test_events_that_do_not_wait_in_order_end_the_run(places: list[int]) -> None:
    """Else a cursor that does not move would have the same events read for ever."""
    with pytest.raises(NeedsOperator, match="for ever"):
        cut(1, (7, 0), [SliceEvent((7, place), 1) for place in places], 1 << 20, lambda: 1)


def test_nothing_waits_so_there_is_no_slice() -> None:
    assert cut(1, START, [], 1 << 20, _no_one_asks) is None


@pytest.mark.parametrize(("megabytes", "parts"), [(1, 4), (8, 4), (12, 2), (33, 1), (64, 1)])
def test_the_larger_the_events_the_fewer_are_worked_on_at_a_time(megabytes: int, parts: int) -> None:
    waiting = [SliceEvent((1, place), 1 << 20) for place in range(8)]
    planned = cut(1, START, [*waiting, SliceEvent((2, 0), megabytes << 20)], 128 << 20, lambda: 4)
    assert planned is not None
    assert len(planned.parts) <= parts
    assert planned.events == 9
    evenly = cut(
        1, START, [SliceEvent((1, place), megabytes << 20) for place in range(8)], 8 * megabytes << 20, lambda: 4
    )
    assert evenly is not None
    assert len(evenly.parts) == parts


def _no_one_asks() -> int:
    raise AssertionError("how many tasks there are must not be asked if nothing waits")


@pytest.mark.parametrize(("left", "expected"), [(0, []), (1, [[1]]), (2, [[1], [2]]), (5, [[1, 2], [3, 4, 5]])])
def test_halves_hold_each_event_that_is_left_once(left: int, expected: list[list[int]]) -> None:
    """Of a slice of five, of which some are gone by now."""
    refused = Slice(7, (SlicePart((0, 0), (0, 5), 5, 50, 10),))
    events = [SliceEvent((0, number), 10) for number in range(1, left + 1)]
    found = list(slice_halves(refused, (0, 0), events, tasks=2))
    spans = [(half.parts[0].after, half.until) for half in found]
    read = [[event.position[1] for event in events if after < event.position <= until] for after, until in spans]
    assert read == expected
    assert {half.number for half in found} <= {7}
