"""What a record of a changelog stream does: the values of the operation column (seed 002)."""

from __future__ import annotations

from enum import IntEnum


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
