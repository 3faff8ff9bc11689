"""What a capability does when the store is upgraded, beside its tables: each capability declares its steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store


def _no_sentences(_connection: Connection) -> list[str]:
    return []


def _nothing(_store: Store) -> object:
    return None


@dataclass(frozen=True)
class UpgradeStep:
    """One thing that follows when tables, functions and views are up to date. Each part may be repeated."""

    bring_up_to_date: Callable[[Connection], list[str]] = _no_sentences
    """Within the upgrade's transaction: sentences for the owner. What it raises takes the upgrade back."""
    differences: Callable[[Connection], list[str]] = _no_sentences
    """What the next upgrade would bring up to date, a sentence each. It only reads."""
    follow_up: Callable[[Store], object] = _nothing
    """Once the upgrade is kept: what takes locks one by one, or may be left to the next time."""
