"""The life of a long migration: its states, and which command leads from which to which."""

from __future__ import annotations

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
