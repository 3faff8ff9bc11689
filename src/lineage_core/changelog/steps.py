"""Records as steps: an append, a retraction, or the two records of a correction together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lineage_core.changelog.operations import Operation
from lineage_core.errors import BrokenStream

FOLLOWED = "a -C is at once followed by its +C"
FOLLOWS = "a +C at once follows its -C"


class StreamStep(NamedTuple):
    """Rows by their places in a table. An append has no old row, a retraction no new one, a correction both."""

    old: int | None
    new: int | None
    offset: int
    """Of the record; of a correction that of its -C."""


def steps_of(operations: Sequence[Operation], rows: Iterable[int], offsets: Sequence[int]) -> Iterator[StreamStep]:
    """The steps of records, one after the other. Raises BrokenStream at a -C without its +C, or a +C without its -C."""
    begun: StreamStep | None = None
    for operation, row, offset in zip(operations, rows, offsets, strict=True):
        if (begun is None) is (operation is Operation.CORRECT_TO):
            raise _torn(begun, f"{operation.code} follows", offset)
        if begun is not None and offset != begun.offset + 1:
            raise _torn(begun, f"the record behind it has offset {offset}", offset)
        if operation is Operation.CORRECT_FROM:
            begun = StreamStep(row, None, offset)
        elif begun is not None:
            yield begun._replace(new=row)
            begun = None
        elif operation is Operation.RETRACT:
            yield StreamStep(row, None, offset)
        else:
            yield StreamStep(None, row, offset)
    if begun is not None:
        raise _torn(begun, "the records end with it", begun.offset)


def _torn(begun: StreamStep | None, what: str, offset: int) -> BrokenStream:
    if begun is None:
        return BrokenStream(FOLLOWS, offset, "no -C is before it")
    return BrokenStream(FOLLOWED, begun.offset, what)
