"""What waits and since when, and who normalizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.normalize.store.event_choices import WATERMARK, waiting_since
from lineage_core.postgres.typed_rows import one_row
from lineage_core.status_topic import AskedStore, StatusTopic, ago

MOST_WAITING = 10_001
"""Events that are looked at, so that a store that is far behind answers soon, too."""


@dataclass(frozen=True)
class Waiting:
    """What is not normalized. `since`: when the first of it arrived; `is_more`: there is more than was looked at."""

    events: int
    bytes: int
    since: datetime | None
    is_more: bool


@dataclass(frozen=True)
class Normalization:
    """`moved_at`: when a run last moved the watermark, None before the first; `holder`: who is at work now."""

    moved_at: datetime | None
    holder: str | None


@dataclass(frozen=True)
class _Amount:
    events: int
    bytes: int
    is_more: bool


def _waiting(store: AskedStore) -> Waiting:
    amount = one_row(store.connection, _Amount, "normalize/status/waiting", {"most": MOST_WAITING})
    return Waiting(amount.events, amount.bytes, waiting_since(store.connection), amount.is_more)


def _normalization(store: AskedStore) -> Normalization:
    return one_row(store.connection, Normalization, "normalize/status/normalization", {"name": WATERMARK})


def _waiting_lines(found: Waiting, now: datetime) -> Iterator[tuple[str, str]]:
    if found.since is None:
        yield "waiting", "nothing"
        return
    least = "at least " if found.is_more else ""
    amount = f"{least}{found.events:,} events, {found.bytes / 1e6:,.1f} MB"
    yield "waiting", f"{amount}; arrived since {ago(found.since, now)}"


def _waiting_figures(found: Waiting, now: datetime) -> Iterator[tuple[str, float]]:
    yield "waiting.events", found.events
    yield "waiting.bytes", found.bytes
    yield "waiting.seconds", max(0.0, (now - found.since).total_seconds()) if found.since else 0


def _normalization_lines(found: Normalization, now: datetime) -> Iterator[tuple[str, str]]:
    worker = f"at work: {found.holder}" if found.holder else "not at work"
    moved = f"last moved {ago(found.moved_at, now)}" if found.moved_at else "has never run"
    yield "normalization", f"{worker}; {moved}"


WAITING = StatusTopic("waiting", _waiting, _waiting_lines, _waiting_figures)
NORMALIZATION = StatusTopic("normalization", _normalization, _normalization_lines)
