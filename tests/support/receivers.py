"""A receiver that listens, in a thread of the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn

from lineage_core.postgres.store import Store
from lineage_core.receiver.connections import ReceiverLimits
from lineage_core.receiver.serving import RoutedStores, ServedReceiver, configuration
from tests.support.stores import rows

EVENT = "/api/v1/lineage"
BATCH = "/api/v1/lineage/batch"


def stored(store: Store) -> list[Any]:
    return [event for (event,) in rows(store, "SELECT event FROM lineage_events ORDER BY arrival_seq")]


def quarantined(store: Store) -> list[tuple[str, str, bytes]]:
    return rows(store, "SELECT path, source, raw FROM quarantine ORDER BY id")


@dataclass(frozen=True)
class Listening:
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30)


@contextmanager
def receiver(
    store: Store | RoutedStores,
    *,
    needs_token: bool = True,
    limits: ReceiverLimits | None = None,
    spool: Path | None = None,
) -> Iterator[Listening]:
    served = ServedReceiver(store, needs_token, limits or ReceiverLimits(), spool)
    server = uvicorn.Server(configuration(served, "127.0.0.1", 0, log_level="warning", log_config=None))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield Listening(server.servers[0].sockets[0].getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
