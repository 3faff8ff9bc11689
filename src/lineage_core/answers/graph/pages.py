"""Where an answer that was cut goes on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from lineage_core.command_line.options import moment
from lineage_core.errors import WrongUsage

_CURSOR = re.compile(r"([0-9]{1,9})@(.*)", re.DOTALL)


@dataclass(frozen=True)
class Page:
    """first: the number of the first node that this answer gives. until: of the first that it does not.

    moment: that of the answers before; None if they were of now, or if this is the first.
    """

    first: int
    until: int
    moment: datetime | None = None

    @classmethod
    def at(cls, cursor: str | None, most: int) -> Page:
        """cursor: as `next` makes it. Raises WrongUsage for another text."""
        if cursor is None:
            return cls(0, most)
        found = _CURSOR.fullmatch(cursor)
        if found is None:
            raise _no_cursor(cursor)
        first = int(found[1])
        return cls(first, first + most, _moment(cursor, found[2]) if found[2] else None)

    def has(self, number: int) -> bool:
        return self.first <= number < self.until

    def next(self, moment: datetime | None) -> str:
        return f"{self.until}@{moment.isoformat() if moment else ''}"


def _moment(cursor: str, text: str) -> datetime:
    try:
        return moment("--after", text)
    except WrongUsage as error:
        raise _no_cursor(cursor) from error


def _no_cursor(cursor: str) -> WrongUsage:
    return WrongUsage(f"{cursor[:100]!r} is no cursor: give `next` of the answer before, as it is")
