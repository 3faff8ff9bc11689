"""What operators ask of the receiver: the health of its processes and tokens, and what comes over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.capability import AskedStore, HealthCheck, StatusTopic, by_statement, counted
from lineage_core.postgres.typed_rows import one_row

EXPIRING_TOKENS = HealthCheck(
    "expiring_tokens",
    by_statement("receiver/checks/expiring_tokens"),
    "`lineage token create` makes the next one; give it to the producer, then `lineage token revoke` the old one.",
)
"""Tokens whose producers are refused soon, or by now."""

REFUSED_DOCUMENTS = HealthCheck(
    "refused_documents",
    by_statement("receiver/checks/refused_documents"),
    "The receiver's log names address and status of each request; `lineage quarantine list` has what was no event.",
    needs_person=False,
)
"""Refusals of the receiver that have become more."""

SILENT_RECEIVERS = HealthCheck(
    "silent_receivers",
    by_statement("receiver/checks/silent_receivers"),
    "It was killed, or cannot write: its log says which. Start it again; a new one on the same host ends this finding.",
)
"""Processes that receive events, and have stopped to say so."""


@dataclass(frozen=True)
class ReceivedByHttp:
    """Documents that came over HTTP since the last full hour began, and what their requests took; `processes` receive
    now. None where nothing was accepted."""

    processes: int
    accepted: int
    refused: int
    mean_microseconds: int | None
    longest_microseconds: int | None


def _find(store: AskedStore) -> ReceivedByHttp:
    return one_row(store.connection, ReceivedByHttp, "receiver/status/receiver")


def _lines(found: ReceivedByHttp, _now: datetime) -> Iterator[tuple[str, str]]:
    processes = f"{counted(found.processes, 'process', 'processes')} at work" if found.processes else "not at work"
    since = f"{found.accepted:,} accepted and {found.refused:,} refused since the last full hour began"
    yield "receiver", f"{processes}; {since}"


def _figures(found: ReceivedByHttp, _now: datetime) -> Iterator[tuple[str, float]]:
    yield "receiver.processes", found.processes
    yield "receiver.accepted", found.accepted
    yield "receiver.refused", found.refused
    yield "receiver.mean_seconds", (found.mean_microseconds or 0) / 1e6
    yield "receiver.longest_seconds", (found.longest_microseconds or 0) / 1e6


RECEIVER = StatusTopic("receiver", 40, _find, _lines, _figures)
