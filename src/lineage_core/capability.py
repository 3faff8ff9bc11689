"""What a capability declares for people: commands, and what operators ask and do for it.

Each package that is one has it as `CAPABILITY`; `capabilities.py` lists them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from lineage_core.declare.registry import values_in

if TYPE_CHECKING:
    import typer

    from lineage_core.postgres.connection import Connection
    from lineage_core.postgres.store import Store

Found = TypeVar("Found")
Value = TypeVar("Value")


class HasCommands(Protocol):
    """A module `command`. It is imported whatever the command is, so it imports within its commands what only these
    need."""

    def register(self, application: typer.Typer) -> None: ...


@dataclass(frozen=True)
class Capability:
    """Both parts are imported when they are asked for: the command line needs the one, operators the other."""

    commands: Callable[[], HasCommands]
    operation: Callable[[], ModuleType] | None = None
    """The module that has health checks, topics of status and steps of an upgrade: each of its values that is one."""

    def for_operators(self, kind: type[Value]) -> tuple[Value, ...]:
        """What it declares of a kind."""
        return () if self.operation is None else values_in(self.operation(), kind)


@dataclass(frozen=True)
class UpgradeStep:
    """One thing that follows when tables, functions and views are up to date. Each part may be repeated."""

    bring_up_to_date: Callable[[Connection], list[str]] = lambda _: []
    """Within the upgrade's transaction: sentences for the owner. What it raises takes the upgrade back."""
    differences: Callable[[Connection], list[str]] = lambda _: []
    """What the next upgrade would bring up to date, a sentence each. It only reads."""
    follow_up: Callable[[Store], list[str]] = lambda _: []
    """Once the upgrade is kept: what takes locks one by one, or may be left to the next time. Sentences, too."""


@dataclass(frozen=True)
class CheckedPlaces:
    """Where a check looks: the store by the login in use, and the folder of events that it has not taken yet."""

    store: Store
    connection: Connection
    spool: Path
    ingest_store: Store | None = None
    """Of the login that only adds events, if there is one."""
    streams_url: str | None = None
    """Below which changelog streams are published; None if it is not known here."""
    upgrade_steps: tuple[UpgradeStep, ...] = ()
    """What the capabilities do at an upgrade, and so what may wait for one."""


@dataclass(frozen=True)
class HealthCheck:
    """A fault that no run reports by itself, or not in time: `find` gives a sentence for each, `advice` what to do.

    needs_person: whether somebody has to act; if not, it is a note. only_reads: whether it does so in a transaction
    that may do nothing else.
    """

    name: str
    find: Callable[[CheckedPlaces], Iterable[str]]
    advice: str
    needs_person: bool = True
    only_reads: bool = True


def by_statement(path: str) -> Callable[[CheckedPlaces], Iterable[str]]:
    """What the statement of that name finds: a sentence in each row."""
    from lineage_core.postgres.typed_rows import every_value

    return lambda looked: every_value(looked.connection, str, path)


@dataclass(frozen=True)
class AskedStore:
    """The store, by the login in use."""

    store: Store
    connection: Connection


@dataclass(frozen=True)
class StatusTopic(Generic[Found]):
    """One thing that operators look at first. `key` is its name in JSON; they are shown from the lowest `place` on.

    `find` only reads, for a second at most. `lines` gives what stands before each line and the line itself. `figures`
    gives the metrics, by their names without `lineage.`; docs/how-to/watch-the-platform.md says what each means.
    """

    key: str
    place: int
    find: Callable[[AskedStore], Found]
    lines: Callable[[Found, datetime], Iterable[tuple[str, str]]]
    figures: Callable[[Found, datetime], Iterable[tuple[str, float]]] = lambda _found, _now: ()


def ago(moment: datetime, now: datetime) -> str:
    """Such as `17 minutes ago`."""
    seconds = max(0.0, (now - moment).total_seconds())
    for name, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name} ago"
    return f"{seconds:.0f} seconds ago"


def counted(number: int, thing: str, things: str = "") -> str:
    """Such as `1 document` or `2,000 documents`; `things` where that is not `thing` with an s."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"
