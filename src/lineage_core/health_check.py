"""What `lineage doctor` looks for: faults that no run reports by itself, or not in time, and what to do about each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_value
from lineage_core.upgrade_step import UpgradeStep


@dataclass(frozen=True)
class Looked:
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
    """One kind of fault: `find` gives a sentence for each; `advice` says what to do.

    needs_person: whether somebody has to act; if not, it is a note.
    """

    name: str
    find: Callable[[Looked], Iterable[str]]
    advice: str
    needs_person: bool = True


def by_statement(path: str) -> Callable[[Looked], Iterable[str]]:
    """What the statement of that name finds: a sentence in each row."""
    return lambda looked: every_value(looked.connection, str, path)
