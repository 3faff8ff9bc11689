"""An Iceberg catalog on this machine, as docs/how-to/export-a-stream-to-iceberg.md configures it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest


def use_lake(folder: Path, environment: pytest.MonkeyPatch, uri: str | None = None) -> None:
    """Makes `lake` a catalog of pyiceberg: a file of SQLite, or what is at the URI."""
    from pyiceberg.utils.config import Config

    environment.setenv("PYICEBERG_CATALOG__LAKE__URI", uri or f"sqlite:///{folder}/lake.db")
    environment.setenv("PYICEBERG_CATALOG__LAKE__WAREHOUSE", f"file://{folder}/lake")
    # It reads the environment once, when it is imported.
    environment.setattr("pyiceberg.catalog._ENV_CONFIG", Config())


@contextmanager
def answering(status: int) -> Iterator[str]:
    """The address of a REST catalog that answers everything with one status."""

    class Refusal(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name that the library wants
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusal) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            serving.join()
