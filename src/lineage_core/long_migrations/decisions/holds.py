"""When a long migration must wait: what the server shows of its health, and what is too much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

MEBIBYTE = 1024 * 1024
WAL_RATE = "wal rate"
"""The one signal that takes two looks."""


@dataclass(frozen=True)
class Signals:
    """What the server shows; None where it does not, or where the login may not see it."""

    wal_bytes_per_second: float | None = None
    """Growth of the write-ahead log."""
    archive_queue: int | None = None
    """Segments that wait to be archived."""
    replication_lag_seconds: float | None = None
    """How far the last standby is behind."""
    vacuumed: tuple[str, ...] = ()
    """Tables of the migration that a vacuum is running on."""
    transaction_seconds: float | None = None
    """Age of the oldest open transaction of another session."""
    active_sessions: int | None = None
    """Sessions of others that are at work."""
    asked: float | None = None
    """The value of the operator's query."""


@dataclass(frozen=True)
class Limits:
    """What is too much; None leaves a signal out of account."""

    wal_bytes_per_second: float | None = 200.0 * MEBIBYTE
    archive_queue: int | None = 42
    replication_lag_seconds: float | None = 10.0
    waits_for_vacuum: bool = True
    transaction_seconds: float | None = 600.0
    active_sessions: int | None = None


@dataclass(frozen=True)
class Reason:
    """Why a migration waits: the signal, and its value in words."""

    signal: str
    detail: str


def reasons(signals: Signals, limits: Limits) -> list[Reason]:
    """Everything that is too much; empty if the migration may go on."""
    return list(_reasons(signals, limits))


def _reasons(signals: Signals, limits: Limits) -> Iterator[Reason]:
    if _exceeds(signals.wal_bytes_per_second, limits.wal_bytes_per_second):
        rate = (signals.wal_bytes_per_second or 0) / MEBIBYTE
        yield Reason(WAL_RATE, f"the server writes {rate:.0f} MiB of its log a second")
    if _exceeds(signals.archive_queue, limits.archive_queue):
        yield Reason("archive queue", f"{signals.archive_queue} segments of the log wait to be archived")
    if _exceeds(signals.replication_lag_seconds, limits.replication_lag_seconds):
        yield Reason("replication lag", f"a standby is {signals.replication_lag_seconds:.1f} s behind")
    if limits.waits_for_vacuum and signals.vacuumed:
        yield Reason("vacuum", f"a vacuum is at work on {', '.join(signals.vacuumed)}")
    if _exceeds(signals.transaction_seconds, limits.transaction_seconds):
        yield Reason("long transaction", f"a transaction has been open for {signals.transaction_seconds:.0f} s")
    if _exceeds(signals.active_sessions, limits.active_sessions):
        yield Reason("active sessions", f"{signals.active_sessions} sessions are at work")
    if _exceeds(signals.asked, 0):
        yield Reason("hold query", f"the query of the operator says {signals.asked:g}")


def _exceeds(signal: float | None, limit: float | None) -> bool:
    return signal is not None and limit is not None and signal > limit
