"""A Postgres for measuring: the embedded one, with the memory that a server of its own would be given."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from lineage_core.local import postgres
from lineage_core.local.postgres import Server

SHARE = 4
"""A quarter of the machine's memory, as Postgres' manual advises (section 19.4.1)."""


@contextmanager
def running(version: int = postgres.VERSION) -> Iterator[tuple[Path, Server]]:
    """A home that goes again, and a server of it that runs meanwhile."""
    with tempfile.TemporaryDirectory(prefix="lineage-bench-") as folder:
        home = Path(folder)
        home.chmod(0o711)
        server = start(home, version)
        try:
            yield home, server
        finally:
            postgres.stop_server(home, version)


def start(home: Path, version: int = postgres.VERSION) -> Server:
    """A server of this home, made if need be, under these settings."""
    megabytes = psutil.virtual_memory().total // SHARE // (1 << 20)
    server = postgres.start(home, version)
    server.run_sql("ALTER SYSTEM SET max_wal_size = '16GB';")
    server.run_sql("ALTER SYSTEM SET checkpoint_timeout = '15min';")
    return restart(home, f"{megabytes}MB", version)


def restart(home: Path, shared_buffers: str, version: int = postgres.VERSION) -> Server:
    """The server of this home, anew and with other memory of its own."""
    postgres.start(home, version).run_sql(f"ALTER SYSTEM SET shared_buffers = '{shared_buffers}';")
    postgres.stop_server(home, version)
    return postgres.start(home, version)
