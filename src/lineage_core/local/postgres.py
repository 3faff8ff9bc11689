"""The embedded Postgres: one server below LINEAGE_HOME, over TCP on this machine only, with generated passwords.

<home>/pgpass             passwords, mode 600; a DSN names this file and holds no secret itself
<home>/postgres/          or a link to a folder that the server's user can reach
    port                  the port of the last start, used again while it is free
    data-<version>/  log-<version>
"""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lineage_core.interrupts import uninterrupted
from lineage_core.local.home import made_home
from lineage_core.local.postgres_cluster import DATABASE, ROLE, Cluster, Server

__all__ = ["DATABASE", "ROLE", "VERSION", "Server", "running", "start", "stop_server"]

VERSION = 18


def start(home: Path, version: int = VERSION) -> Server:
    """The embedded server of `home`: the one that runs already, else a new one, with its own database inside."""
    with _lock(home):
        cluster = Cluster.below(home, version)
        if not cluster.is_made():
            cluster.make()
        is_running = cluster.is_running()
        with uninterrupted():
            if not is_running:
                cluster.launch()
            server = cluster.server()
            if not (is_running and cluster.is_furnished()):
                server.ensure_role(ROLE, "NOSUPERUSER CREATEROLE")
                # `lineage doctor` looks at the sessions of others.
                server.grant("pg_monitor", ROLE)
                server.ensure_database(DATABASE, ROLE)
                cluster.note_furnished()
        return server


def running(home: Path, version: int = VERSION) -> Server | None:
    """The server of `home` if it runs."""
    if not (home / "postgres").exists():
        return None
    cluster = Cluster.below(home, version)
    return cluster.server() if cluster.is_running() else None


def stop_server(home: Path, version: int = VERSION) -> bool:
    """Stop the server of `home`; False if none ran."""
    if not (home / "postgres").exists():
        return False
    with _lock(home):
        cluster = Cluster.below(home, version)
        if not cluster.is_running():
            return False
        cluster.end()
        return True


@contextmanager
def _lock(home: Path) -> Iterator[None]:
    """Let one process at a time start or stop the server of `home`."""
    with (made_home(home) / "postgres.lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
