"""What `lineage status` and metrics show: each capability declares its topics."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store

Found = TypeVar("Found")


@dataclass(frozen=True)
class AskedStore:
    """The store, by the login in use."""

    store: Store
    connection: Connection


def no_figures(_found: object, _now: datetime) -> Iterable[tuple[str, float]]:
    """Of a topic that is no metric."""
    return ()


@dataclass(frozen=True)
class StatusTopic(Generic[Found]):
    """One thing that operators look at first. `key` is its name in JSON.

    `find` only reads, for a second at most. `lines` gives what stands before each line and the line itself. `figures`
    gives the metrics, by their names without `lineage.`; docs/how-to/watch-the-platform.md says what each means.
    """

    key: str
    find: Callable[[AskedStore], Found]
    lines: Callable[[Found, datetime], Iterable[tuple[str, str]]]
    figures: Callable[[Found, datetime], Iterable[tuple[str, float]]] = no_figures


def ago(moment: datetime, now: datetime) -> str:
    """Such as `17 minutes ago`."""
    seconds = max(0.0, (now - moment).total_seconds())
    for name, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.0f} {name} ago"
    return f"{seconds:.0f} seconds ago"
