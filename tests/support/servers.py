"""Servers of a test's own: to crash, to restart with other settings, to restore into."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.local.postgres_cluster import Cluster


def reachable_folder() -> Path:
    """A folder that the server's user can enter: those that pytest makes are closed to it when root runs the tests."""
    folder = Path(tempfile.mkdtemp(prefix="lineage-tests-"))
    folder.chmod(0o711)
    return folder


@contextmanager
def server_of_its_own(version: int) -> Iterator[Server]:
    home = reachable_folder()
    server = postgres.start(home, version)
    server.run_sql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET max_prepared_transactions = 5;")
    restart(server, version)
    yield server
    postgres.stop(home, version)
    shutil.rmtree(home)


def restart(server: Server, version: int) -> None:
    """The port stays: nobody else took it in the meantime, or the test fails."""
    postgres.stop(_home(server), version)
    assert postgres.start(_home(server), version).port == server.port


def stop_immediately(server: Server, version: int) -> None:
    """As in a crash: the server writes nothing more, and has to recover when it starts."""
    _run(server, version, "pg_ctl", "-m", "immediate", "-w", "stop")


def move_on_to_epoch(server: Server, version: int, epoch: int) -> None:
    """Let the cluster's transactions be numbered from epoch * 2^32 on."""
    postgres.stop(_home(server), version)
    _run(server, version, "pg_resetwal", "--epoch", str(epoch))
    assert postgres.start(_home(server), version).port == server.port


def _run(server: Server, version: int, program: str, *arguments: str) -> None:
    cluster = Cluster.below(_home(server), version)
    done = cluster.user.run([cluster.programs / program, "-D", cluster.data, *arguments])
    assert done.returncode == 0, done.stdout


def _home(server: Server) -> Path:
    return server.passfile.parent
