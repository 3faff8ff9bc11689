"""Which parts of a stream are merged: small ones side by side, and none so often that merging is the main work."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from lineage_core.changelog.bins import BinSizes, bins
from lineage_core.streams.store.heads import PublishedPart

SIZES = BinSizes(bytes=1 << 20, records=1_000)


def _parts(sizes: list[tuple[int, int]]) -> list[PublishedPart]:
    """Of bytes and records."""
    found, offset = [], 0
    for bytes_, records in sizes:
        found.append(PublishedPart(offset, offset + records - 1, 0, f"{offset}", bytes_, "", "", []))
        offset += records
    return found


def _bytes(sizes: list[int], limits: BinSizes = SIZES) -> list[list[int]]:
    return [[part.bytes for part in one] for one in bins(_parts([(size, 1) for size in sizes]), limits)]


@given(st.lists(st.tuples(st.integers(1, 1 << 21), st.integers(1, 1_500)), max_size=40), st.none() | st.integers(2, 9))
def test_a_bin_has_neighbours_and_is_no_larger_than_it_may_be(
    sizes: list[tuple[int, int]], least_parts: int | None
) -> None:
    limits = BinSizes(bytes=SIZES.bytes, records=SIZES.records, least_parts=least_parts)
    parts = _parts(sizes)
    found = bins(parts, limits)
    merged = [part for one in found for part in one]
    assert merged == [part for part in parts if part in merged], "in their order, each once"
    for one in found:
        assert len(one) > 1
        assert all(right.start_offset == left.end_offset + 1 for left, right in pairwise(one))
        assert sum(part.bytes for part in one) <= limits.bytes
        assert one[-1].end_offset - one[0].start_offset + 1 <= limits.records
        assert all(part.bytes < limits.small for part in one)


def test_by_default_all_small_parts_are_merged() -> None:
    assert _bytes([10, 20]) == [[10, 20]]
    assert _bytes([300_000, 10]) == [[300_000, 10]]
    assert _bytes([400_000, 400_000, 400_000, 10]) == [[400_000, 400_000], [400_000, 10]]
    assert _bytes([10, SIZES.small, 10]) == []
    assert _bytes([]) == []


def test_many_records_are_not_merged_however_few_their_bytes() -> None:
    assert bins(_parts([(10, 400), (10, 400), (10, 400)]), SIZES)[0] == tuple(_parts([(10, 400), (10, 400)]))
    assert bins(_parts([(10, 500), (10, 1)]), SIZES) == []


def test_a_larger_part_waits_for_others_of_its_size() -> None:
    limits = BinSizes(bytes=SIZES.bytes, records=SIZES.records, least_parts=3)
    assert _bytes([300_000, 10, 10], limits) == []
    assert _bytes([300_000, 10, 10, 10], limits) == [[10, 10, 10]]
    assert _bytes([100_000, 10, 10, 100_000, 30_000], limits) == []
    assert _bytes([100_000, 10, 100_000, 30_000, 100_000], limits) == [[100_000, 10, 100_000, 30_000, 100_000]]


def test_a_record_is_written_anew_only_a_few_times() -> None:
    """As the DAG compacts, whatever the stream is in the end: its parts stay few, too."""
    limits = BinSizes(least_parts=8)
    parts = list[PublishedPart]()
    written = published = 0
    for offset in range(4_000):
        parts.append(PublishedPart(offset, offset, 0, f"{offset}", 4_000, "", "", []))
        published += 4_000
        if offset % 6 == 5:
            for one in bins(parts, limits):
                whole = PublishedPart(
                    one[0].start_offset, one[-1].end_offset, 0, "", sum(p.bytes for p in one), "", "", []
                )
                written += whole.bytes
                parts = sorted(
                    [*(part for part in parts if part not in one), whole], key=lambda part: part.start_offset
                )
    assert len(parts) < 40
    assert written < 6 * published
