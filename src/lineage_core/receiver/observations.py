"""What the receiver did, as operators see it: figures, which it reports to the store, and a line for each request."""

from __future__ import annotations

import logging
import os
import socket
import threading
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

from starlette.requests import Request

ACCEPTED = "accepted"
SPOOLED = "spooled"
"""Outcomes of documents; the others are the HTTP statuses with which they were refused."""

access_log = logging.getLogger("lineage_core.receiver.access")


def outcome_of(refusal: HTTPStatus) -> str:
    """Its number: the phrases differ between releases of Python."""
    return str(refusal.value)


@dataclass
class Figure:
    """Of one outcome: its documents, the requests that they came in, and how long these took."""

    documents: int = 0
    requests: int = 0
    microseconds: int = 0
    longest: int = 0

    def add(self, other: Figure) -> None:
        self.documents += other.documents
        self.requests += other.requests
        self.microseconds += other.microseconds
        self.longest = max(self.longest, other.longest)


@dataclass(eq=False)
class Observations:
    """Of one process, since it reported last. The loop adds requests, and the thread that commits reports them."""

    id: str = field(default_factory=lambda: str(uuid.uuid4()))
    host: str = field(default_factory=socket.gethostname)
    process: int = field(default_factory=os.getpid)
    _figures: dict[str, Figure] = field(default_factory=dict, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def add(self, figures: Mapping[str, Figure]) -> None:
        with self._lock:
            for outcome, figure in figures.items():
                self._figures.setdefault(outcome, Figure()).add(figure)

    def take(self) -> dict[str, Figure]:
        """What is to be reported. Who cannot adds it again."""
        with self._lock:
            taken, self._figures = self._figures, {}
        return taken

    def note(self, request: Request, path: str, status: int, documents: Mapping[str, int], seconds: float) -> None:
        """Counts a request, and logs it: nothing that its sender chose is in the line but his address."""
        microseconds = round(seconds * 1_000_000)
        self.add({outcome: Figure(count, 1, microseconds, microseconds) for outcome, count in documents.items()})
        if access_log.isEnabledFor(logging.INFO):
            client = request.client.host if request.client else "-"
            counted = ", ".join(f"{outcome} {count}" for outcome, count in documents.items())
            access_log.info("%s %s %s %d %.1f ms: %s", client, request.method, path, status, seconds * 1000, counted)
