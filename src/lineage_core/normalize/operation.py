"""What operators ask of normalization: its health, what waits and since when, and who normalizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from lineage_core import statements
from lineage_core.capability import (
    AskedStore,
    CheckedPlaces,
    HealthCheck,
    StatusTopic,
    UpgradeStep,
    ago,
    by_statement,
    counted,
)
from lineage_core.normalize.following import FOLLOWS
from lineage_core.normalize.store.event_choices import WATERMARK, stranger, waiting_since
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import one_row, one_value

LONGEST_WAIT = timedelta(minutes=30)
"""The schedule takes what waits every ten minutes."""


def _lag(looked: CheckedPlaces) -> Iterator[str]:
    since = waiting_since(looked.connection)
    if since is not None and datetime.now(UTC) - since > LONGEST_WAIT:
        yield f"Events have waited since {since.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


LAG = HealthCheck(
    "lag", _lag, "See whether the DAG `normalize_lineage` is paused or fails; `lineage normalize` takes them now."
)
"""Events that wait longer than any run should let them."""

OPEN_RUNS = HealthCheck(
    "open_runs",
    by_statement("normalize/checks/open_runs"),
    "Either they were killed, or events were lost: look for warnings of the producer's transport, and in its spool.",
    needs_person=False,
)
"""Runs whose end is not reported."""


def _strangers(looked: CheckedPlaces) -> Iterator[str]:
    found = stranger(looked.connection)
    if found is not None:
        yield f"{found}: the database was restored from a dump"


OTHER_CLUSTER = HealthCheck("other_cluster", _strangers, "Run `lineage db rebase`, then `lineage normalize`.")
"""A watermark that means nothing here."""


MOST_WAITING = 10_001
"""Events that are looked at, so that a store that is far behind answers soon, too."""


@dataclass(frozen=True)
class WaitingEvents:
    """What is not normalized. `since`: when the first of it arrived; `is_more`: there is more than was looked at."""

    events: int
    bytes: int
    since: datetime | None
    is_more: bool


@dataclass(frozen=True)
class Normalization:
    """`moved_at`: when a run last moved the watermark, None before the first; `holder`: who is at work now.

    `followers`: machine and session of each `lineage normalize --follow`, also while nothing arrives.
    """

    moved_at: datetime | None
    holder: str | None
    followers: Sequence[str] = ()


@dataclass(frozen=True)
class _Amount:
    events: int
    bytes: int
    is_more: bool


def _waiting(store: AskedStore) -> WaitingEvents:
    amount = one_row(store.connection, _Amount, "normalize/status/waiting", {"most": MOST_WAITING})
    return WaitingEvents(amount.events, amount.bytes, waiting_since(store.connection), amount.is_more)


MOST_COUNTED = 1_000_001
"""Events that are counted for a run: of more, it is unknown how long they take."""


def waiting_events(store: Store) -> int | None:
    """How many events are left for a run to take in; None if they are too many to count."""
    with store.session("lineage_jobs") as connection:
        amount = one_row(connection, _Amount, "normalize/status/waiting", {"most": MOST_COUNTED})
    return None if amount.is_more else amount.events


def _normalization(store: AskedStore) -> Normalization:
    return one_row(
        store.connection, Normalization, "normalize/status/normalization", {"name": WATERMARK, "follows": FOLLOWS}
    )


def _waiting_lines(found: WaitingEvents, now: datetime) -> Iterator[tuple[str, str]]:
    if found.since is None:
        yield "waiting", "nothing"
        return
    least = "at least " if found.is_more else ""
    amount = f"{least}{counted(found.events, 'event')}, {found.bytes / 1e6:,.1f} MB"
    yield "waiting", f"{amount}; arrived since {ago(found.since, now)}"


def _waiting_figures(found: WaitingEvents, now: datetime) -> Iterator[tuple[str, float]]:
    yield "waiting.events", found.events
    yield "waiting.bytes", found.bytes
    yield "waiting.seconds", max(0.0, (now - found.since).total_seconds()) if found.since else 0


def _normalization_lines(found: Normalization, now: datetime) -> Iterator[tuple[str, str]]:
    worker = f"at work: {found.holder}" if found.holder else "not at work"
    moved = f"last moved {ago(found.moved_at, now)}" if found.moved_at else "has never run"
    yield "normalization", f"{worker}; {moved}"
    for follower in found.followers:
        yield "", f"followed by {follower}"


WAITING = StatusTopic("waiting", 10, _waiting, _waiting_lines, _waiting_figures)
NORMALIZATION = StatusTopic("normalization", 20, _normalization, _normalization_lines)


def _make_edges(connection: Connection) -> list[str]:
    """Tables that came later are filled from those that were there before."""
    if not one_value(connection, bool, "normalize/edges/are_missing"):
        return []
    run_script(connection, statements.named("normalize/edges/make"))
    return ["Edges of jobs at any moment were made of the events that are in the tables."]


EDGES = UpgradeStep(bring_up_to_date=_make_edges)
