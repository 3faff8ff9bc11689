"""The pages over a store, asked in this process or by a server in a thread of the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import uvicorn
from fastapi.testclient import TestClient

from lineage_core.local.ports import PAGES
from lineage_core.pages.serving import served
from lineage_core.postgres.store import Store


def client(
    store: Store, user_header: str | None = None, acts: Store | None = None, operators: Sequence[str] = ()
) -> TestClient:
    """It asks as a browser on this machine does, and raises what is no answer."""
    asked = served(store, user_header, acts, operators)
    return TestClient(asked, base_url=f"http://127.0.0.1{PAGES}", headers={"Accept": "text/html"})


@contextmanager
def listening(store: Store, acts: Store | None = None) -> Iterator[str]:
    """The address of the first page."""
    server = uvicorn.Server(
        uvicorn.Config(served(store, None, acts), host="127.0.0.1", port=0, log_level="error", lifespan="off")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}{PAGES}"
    finally:
        server.should_exit = True
        thread.join(timeout=10)
