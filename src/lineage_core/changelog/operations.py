"""What a record of a changelog stream does (seed 002), and records as steps, in which a correction is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from typing import NamedTuple

from lineage_core.errors import BrokenStream


class Operation(IntEnum):
    """The operation of a record, by its number in the operation column. Other systems number theirs otherwise."""

    APPEND = 0
    RETRACT = 1
    CORRECT_FROM = 2
    CORRECT_TO = 3

    @property
    def code(self) -> str:
        """How it is written for people: `+A`, `-R`, `-C` or `+C`."""
        return _CODES[self]

    @classmethod
    def of_code(cls, code: str) -> Operation:
        """The operation that is written so. Raises KeyError if none is."""
        return _BY_CODE[code]


_CODES = {
    Operation.APPEND: "+A",
    Operation.RETRACT: "-R",
    Operation.CORRECT_FROM: "-C",
    Operation.CORRECT_TO: "+C",
}
_BY_CODE = {code: operation for operation, code in _CODES.items()}


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
