"""Which parts of a stream are merged into one: small ones that lie side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from lineage_core.errors import WrongUsage

MEBIBYTE = 1 << 20

_PAIR = 2
_SMALLEST = 1 << 16
_GROWTH = 8
"""A part belongs to the next size if it has that many times the bytes; up to the smallest, all are of one size."""


class SomePart(Protocol):
    """What is known of a part wherever it is listed. Offsets are those of its first and last records."""

    @property
    def bytes(self) -> int: ...

    @property
    def start_offset(self) -> int: ...

    @property
    def end_offset(self) -> int: ...


Part = TypeVar("Part", bound=SomePart)


@dataclass(frozen=True)
class BinSizes:
    """When parts are merged, and how large a merged part may be."""

    bytes: int = 32 * MEBIBYTE
    """Of the files that become one. A part with half of that is large: it stays as it is."""
    records: int = 1 << 22
    least_parts: int | None = None
    """So many parts of about one size have to lie side by side; None merges all that are small. With more of them, each
    record is written anew less often, and more small parts wait."""

    def __post_init__(self) -> None:
        if self.least_parts is not None and self.least_parts < _PAIR:
            raise WrongUsage(f"At least {_PAIR} parts become one; {self.least_parts} cannot be the least number")

    @property
    def small(self) -> int:
        """Fewer bytes than a large part has."""
        return self.bytes // 2


@dataclass(frozen=True)
class _Run(Generic[Part]):
    """Parts in a row, that are to be one part if they are several."""

    parts: tuple[Part, ...]

    @property
    def bytes(self) -> int:
        return sum(part.bytes for part in self.parts)

    @property
    def records(self) -> int:
        return self.parts[-1].end_offset - self.parts[0].start_offset + 1

    @property
    def size(self) -> int:
        """0 for the smallest, and one more for each time that it is so many times as large."""
        size, limit = 0, _SMALLEST
        while self.bytes > limit:
            size, limit = size + 1, limit * _GROWTH
        return size


def bins(parts: Iterable[Part], sizes: BinSizes) -> list[tuple[Part, ...]]:
    """The parts that are to become one part each, in the order of offsets. Each has two parts or more.

    Small parts are merged before they are merged with larger ones. So a large part is not written anew for each small
    one that comes behind it.
    """
    runs = [_Run((part,)) for part in parts]
    largest = max((run.size for run in runs), default=0)
    for size in range(largest + 1):
        runs = list(_merged(runs, size, sizes))
    return [run.parts for run in runs if len(run.parts) > 1]


def _merged(runs: Sequence[_Run[Part]], size: int, sizes: BinSizes) -> Iterator[_Run[Part]]:
    neighbours = list[_Run[Part]]()
    for run in runs:
        if run.size > size or _is_large(run, sizes):
            yield from _filled(neighbours, size, sizes)
            neighbours = []
            yield run
        else:
            neighbours.append(run)
    yield from _filled(neighbours, size, sizes)


def _is_large(run: _Run[Part], sizes: BinSizes) -> bool:
    return run.bytes >= sizes.small or run.records >= sizes.records // 2


def _filled(neighbours: Sequence[_Run[Part]], size: int, sizes: BinSizes) -> Iterator[_Run[Part]]:
    """Those that are smaller than the others cost little, so that they do not count."""
    if sizes.least_parts is not None and sum(run.size == size for run in neighbours) < sizes.least_parts:
        yield from neighbours
        return
    filled: _Run[Part] | None = None
    for run in neighbours:
        if filled is None:
            filled = run
        elif _fit(filled, run, sizes):
            filled = _Run((*filled.parts, *run.parts))
        else:
            yield filled
            filled = run
    if filled is not None:
        yield filled


def _fit(left: _Run[Part], right: _Run[Part], sizes: BinSizes) -> bool:
    return left.bytes + right.bytes <= sizes.bytes and left.records + right.records <= sizes.records
