"""Connections that are given up: uvicorn waits for ever for a request that has begun, and reads heads of any length.

Its class is subclassed, as it has no setting for either; the release of uvicorn is pinned.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class ReceiverLimits:
    """Of one process. A worker more has as much again."""

    body_bytes: int = 64 * MEBIBYTE
    """Of a body, as sent and as unpacked."""
    bodies_bytes: int = 256 * MEBIBYTE
    """Of all bodies that are being read or wait for their commit."""
    body_seconds: float = 30.0
    """For a body to come in."""
    connections: int = 2_000
    """At a time. One more is closed at once."""
    head_bytes: int = 64 << 10
    """Of a request before its body."""
    head_seconds: float = 10.0
    """For the head of a request to come in, from its first byte or the beginning of the connection."""
    batch_documents: int = 10_000
    """In one batch."""
    events_per_second: float = 2_000.0
    """For each token, on average over a few seconds."""


@dataclass
class RateLimit:
    """Events a second for each token: a bucket that holds five seconds of them."""

    events_per_second: float
    _buckets: OrderedDict[bytes, tuple[float, float]] = field(default_factory=OrderedDict)
    """What is left, and when it was counted, for the tokens that were used last."""

    _SECONDS = 5.0
    _MOST = 10_000

    def seconds_to_wait(self, digest: bytes, events: int) -> float:
        """0 if the events may come now, which then counts them. A batch larger than a bucket takes a full one."""
        now = time.monotonic()
        most = self.events_per_second * self._SECONDS
        left, counted = self._buckets.pop(digest, (most, now))
        left = min(most, left + (now - counted) * self.events_per_second)
        wanted = min(float(events), most)
        wait = max(0.0, (wanted - left) / self.events_per_second)
        self._buckets[digest] = (left if wait else left - wanted, now)
        if len(self._buckets) > self._MOST:
            self._buckets.popitem(last=False)
        return wait


_TOO_LARGE = b"HTTP/1.1 431 Request Header Fields Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_TOO_SLOW = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class ConnectionPhase(Enum):
    """What comes next over a connection."""

    MESSAGE = "message"
    HEAD = "head"
    BODY = "body"


class BoundedConnection(HttpToolsProtocol):
    """A connection whose requests begin and end in time. uvicorn itself ends one that is idle between requests."""

    def __init__(self, *arguments: Any, limits: ReceiverLimits, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._limits = limits
        self._deadline: asyncio.TimerHandle | None = None
        self._phase = ConnectionPhase.MESSAGE
        self._head_bytes = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self._limits.connections:
            transport.abort()
        else:
            self._arm(self._limits.head_seconds, _TOO_SLOW)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._phase is ConnectionPhase.HEAD:
            self._head_bytes += len(data)
            if self._head_bytes > self._limits.head_bytes:
                self._give_up(_TOO_LARGE)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._phase, self._head_bytes = ConnectionPhase.HEAD, 0
        self._arm(self._limits.head_seconds, _TOO_SLOW)

    def on_headers_complete(self) -> None:
        self._phase = ConnectionPhase.BODY
        self._disarm()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._phase = ConnectionPhase.MESSAGE
        self._disarm()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The rest of a body that was refused is read and dropped, so that its sender gets the answer; not for ever."""
        super().on_response_complete()
        if self._phase is ConnectionPhase.BODY:
            self._arm(self._limits.body_seconds, b"")

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        super().connection_lost(exc)

    def _arm(self, seconds: float, answer: bytes) -> None:
        self._disarm()
        self._deadline = self.loop.call_later(seconds, self._give_up, answer)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self, answer: bytes) -> None:
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()
