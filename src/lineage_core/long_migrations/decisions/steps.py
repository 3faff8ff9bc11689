"""A range that a worker has, and what a transaction did to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum


@dataclass(frozen=True)
class ClaimedRange:
    """A range that this worker has. `after` is the last key that is done."""

    id: int
    after: str | None
    until: str
    rows: int
    done: int
    attempts: int
    has_killed: bool
    """Whether so many workers died of it, without getting on, that it must be split."""

    def is_done_by(self, asked: int, last: str | None, looked_at: int) -> bool:
        """Whether nothing is left after a transaction that asked for so many rows, and did those up to `last`."""
        return last is None or last == self.until or looked_at < asked

    def moved_on(self, step: Step) -> ClaimedRange:
        """The range as it is after a transaction."""
        return replace(
            self,
            after=step.last or self.after,
            done=min(self.done + step.looked_at, self.rows),
            attempts=0,
            has_killed=False,
        )


@dataclass(frozen=True)
class Step:
    """What one transaction did. `last` is None when there was nothing left."""

    last: str | None
    looked_at: int
    changed: int
    seconds: float
    is_last: bool
    tables: Mapping[str, int] = field(default_factory=dict)
    """Rows that were inserted, updated or deleted, for each table where any were."""


@dataclass(frozen=True)
class EventsOfRange:
    """Events to be normalized next. All have `since <= event time < until`, in microseconds since 1970."""

    last: str | None
    """The last key of them; None if there are none."""
    looked_at: int
    """How many events were read."""
    waiting: int
    """How many of these are not in the tables yet."""
    since: int | None
    """None at the beginning."""
    until: int | None


class Trouble(Enum):
    """Why a transaction failed: somebody else is at work on the rows, it took too long, or something is wrong."""

    IN_USE = "in use"
    TOO_SLOW = "too slow"
    WRONG = "wrong"


@dataclass(frozen=True)
class Failure:
    """A transaction that was rolled back."""

    trouble: Trouble
    error: str
