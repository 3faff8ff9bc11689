"""What comes over HTTP, and who receives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from lineage_core.postgres.typed_rows import one_row
from lineage_core.status_topic import AskedStore, StatusTopic


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
    processes = f"{found.processes:,} processes at work" if found.processes else "not at work"
    since = f"{found.accepted:,} accepted and {found.refused:,} refused since the last full hour began"
    yield "receiver", f"{processes}; {since}"


def _figures(found: ReceivedByHttp, _now: datetime) -> Iterator[tuple[str, float]]:
    yield "receiver.processes", found.processes
    yield "receiver.accepted", found.accepted
    yield "receiver.refused", found.refused
    yield "receiver.mean_seconds", (found.mean_microseconds or 0) / 1e6
    yield "receiver.longest_seconds", (found.longest_microseconds or 0) / 1e6


RECEIVER = StatusTopic("receiver", _find, _lines, _figures)
