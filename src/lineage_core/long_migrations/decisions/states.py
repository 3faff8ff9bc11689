"""The life of a long migration: its states, and which command leads from which to which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum

from lineage_core.errors import NeedsOperator
from lineage_core.long_migrations.tables import State

AT_WORK = (State.PLANNED, State.RUNNING, State.PAUSED)
DONE = (State.FINISHED, State.FINALIZED, State.CUT_OVER, State.DROPPED)
"""Every range was worked on."""

_COMMANDS: dict[str, tuple[tuple[State, ...], str]] = {
    "plan": (
        (State.PLANNED, State.CANCELLED, State.FINISHED, State.FINALIZED),
        "it is at work, or cut over: cancel it, or roll it back",
    ),
    "pause": ((State.PLANNED, State.RUNNING), "only what is at work can pause"),
    "resume": ((State.PAUSED,), "only what is paused can be resumed"),
    "set": (AT_WORK, "it is not at work"),
    "cancel": ((*AT_WORK, State.FINISHED, State.CANCELLED), "it has been finalized"),
    "retry": ((*AT_WORK, State.FINISHED), "it is cancelled, or has been finalized: plan it again"),
    "accept": (
        (*AT_WORK, State.FINISHED, State.FINALIZED, State.CUT_OVER),
        "it is cancelled, or dropped: nothing of it can be accepted",
    ),
    "finalize": ((State.FINISHED, State.FINALIZED), "it has to be run to its end first"),
    "verify": ((State.FINALIZED, State.CUT_OVER), "it has to be finalized first"),
    "cutover": ((State.FINALIZED, State.CUT_OVER), "it has to be finalized first, and verified"),
    "rollback": ((State.CUT_OVER, State.FINALIZED), "it is not cut over"),
    "drop": ((State.CUT_OVER,), "it has to be finalized, verified and cut over first"),
}
_REACHED = {"pause": State.PAUSED, "resume": State.RUNNING, "drop": State.DROPPED}
"""What a command leads to, of those that are not done again where it is so already. The others change nothing then."""


def is_so_already(command: str, state: State) -> bool:
    """Whether the command has nothing more to do: somebody else, or an attempt before this one, has done it."""
    return state is _REACHED.get(command)


def check_command(command: str, migration: str, state: State) -> None:
    """Raises NeedsOperator if the command means nothing in this state."""
    allowed, otherwise = _COMMANDS[command]
    if state not in allowed:
        raise NeedsOperator(f"The migration {migration!r} is {state.value}; {command} does nothing: {otherwise}")


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
