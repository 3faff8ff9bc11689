"""Where an answer that was cut goes on."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lineage_core.errors import WrongUsage


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
        number, _, moment = cursor.partition("@")
        try:
            return cls(int(number), int(number) + most, datetime.fromisoformat(moment) if moment else None)
        except ValueError as error:
            raise WrongUsage(f"--after {cursor!r} is no cursor: give `next` of the answer before, as it is") from error

    def has(self, number: int) -> bool:
        return self.first <= number < self.until

    def next(self, moment: datetime | None) -> str:
        return f"{self.until}@{moment.isoformat() if moment else ''}"
