"""How a long migration is divided: into ranges of keys that a worker takes, and what becomes of one that fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

ATTEMPTS = 3
"""How often a range is tried before it is split."""

INTERRUPTIONS = 5
"""How often the worker of a range may die, without progress, before that counts as an attempt."""

_FIRST_PAUSE = 0.2
_RANGES = 64
_SMALLEST, _LARGEST = 1_000, 100_000


@dataclass(frozen=True)
class Range:
    """The keys after `after`, or from the first one on, up to and with `until`. Keys are texts that the store reads."""

    after: str | None
    until: str
    rows: int


def range_rows(total: int) -> int:
    """Rows of a range: enough ranges for workers to share to the end, but not so many that keeping them is work."""
    return max(_SMALLEST, min(total // _RANGES, _LARGEST))


def ranges(boundaries: Iterable[tuple[str, int]]) -> Iterator[Range]:
    """Ranges that together hold every key, out of the last key and the number of rows of each, in order."""
    after = None
    for until, rows in boundaries:
        yield Range(after, until, rows)
        after = until


class Remedy(Enum):
    AGAIN = "again"
    SPLIT = "split"
    QUARANTINE = "quarantine"


def remedy(attempts: int, rows: int) -> Remedy:
    """What becomes of a range that has failed so often and has so many rows left."""
    if attempts < ATTEMPTS:
        return Remedy.AGAIN
    return Remedy.SPLIT if rows > 1 else Remedy.QUARANTINE


def retry_delay(attempts: int) -> float:
    """Seconds to wait after so many failures: what was in the way may pass."""
    return float(_FIRST_PAUSE * 2**attempts)


def range_halves(left: Range, middle: str, rows_to_middle: int) -> tuple[Range, Range]:
    """What is left of a range in two. `middle` is a key of it, but not its last; the row counts still add up."""
    first = min(rows_to_middle, left.rows)
    return Range(left.after, middle, first), Range(middle, left.until, left.rows - first)
