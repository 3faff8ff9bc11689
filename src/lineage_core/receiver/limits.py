"""Limits that hold before memory is spent."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field

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
