"""Servers of a test's own: to crash, to restart with other settings, to restore into."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from psycopg.conninfo import make_conninfo

from lineage_core.local import postgres
from lineage_core.local.ports import HOST, remembered_port
from lineage_core.local.postgres import Server
from lineage_core.local.postgres_cluster import SUPERUSER, Cluster
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.store import Store

MEMORY = Path("/dev/shm")
ROOM_BYTES = 6 * 2**30
"""What all servers of a run of the tests may need side by side, several times over."""


def reachable_folder() -> Path:
    """A folder that the server's user can enter: those that pytest makes are closed to it when root runs the tests.

    It is in memory if there is room. Each test makes and drops a database of 1,500 files, and an ext4 without a journal
    gets slower at each: before it makes a file, it steps over all that were deleted in the last minutes.
    """
    has_room = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free >= ROOM_BYTES
    folder = Path(tempfile.mkdtemp(prefix="lineage-tests-", dir=MEMORY if has_room else None))
    folder.chmod(0o711)
    return folder


class Databases:
    """Makes databases of a server, each a copy of another, and drops them."""

    def __init__(self, server: Server, connection: Connection) -> None:
        self._server = server
        self._connection = connection
        self._numbers = itertools.count(1)

    @contextmanager
    def copied(self, template: str) -> Iterator[Store]:
        """As a store for its owner, a copy that is there for a while.

        Copied by files: with fsync off that takes the server half of what it takes to log each page.
        """
        name = f"test_{next(self._numbers)}"
        self._run(f"CREATE DATABASE {name} OWNER {postgres.ROLE} TEMPLATE {template} STRATEGY FILE_COPY")
        yield Store(self._server.dsn(database=name))
        self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        self._connection.execute(statement.encode())


@contextmanager
def databases_of(server: Server) -> Iterator[Databases]:
    """By one session of the superuser: a psql for each database would take longer than the copy."""
    with connect(server.dsn(SUPERUSER, "postgres"), autocommit=True) as connection:
        yield Databases(server, connection)


def other_locales(server: Server) -> dict[str, str]:
    """The locales that databases of the server may have besides the one of bytes, with the options to make one.

    Danish sorts `aa` behind `z`, Turkish has two letters i. Where ICU is missing, as in the embedded builds, PostgreSQL
    18 knows at least the capitals of all letters.
    """
    if server.run_sql("SELECT count(*) FROM pg_collation WHERE collname = 'da-x-icu';").strip() == "1":
        return {name: f"LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE '{name}'" for name in ("da-DK", "tr-TR")}
    if int(server.run_sql("SHOW server_version_num;")) >= 18_00_00:
        return {"PG_UNICODE_FAST": "LOCALE 'C' LOCALE_PROVIDER builtin BUILTIN_LOCALE 'PG_UNICODE_FAST'"}
    return {}


def jobs_login(server: Server, store: Store) -> Store:
    """The same store, for a login that has the role of jobs, and owns nothing."""
    server.ensure_role("worker", "NOSUPERUSER")
    server.run_sql("GRANT lineage_jobs TO worker;")
    return Store(make_conninfo(store.dsn, user="worker"))


def ingest_login(server: Server, store: Store) -> Store:
    """The same store, for a login that only adds events, and reads nothing."""
    server.ensure_role("ingester", "NOSUPERUSER")
    server.run_sql("GRANT lineage_ingest TO ingester;")
    return Store(make_conninfo(store.dsn, user="ingester"))


def operators_login(server: Server, store: Store) -> Store:
    """The same store, for a login that has the role of operators, and owns nothing."""
    server.ensure_role("operator", "NOSUPERUSER")
    server.run_sql("GRANT lineage_operator TO operator;")
    return Store(make_conninfo(store.dsn, user="operator"))


def reader_login(server: Server, store: Store) -> Store:
    """The same store, for a login that only reads."""
    server.ensure_role("onlooker", "NOSUPERUSER")
    server.run_sql("GRANT lineage_reader TO onlooker;")
    return Store(make_conninfo(store.dsn, user="onlooker"))


@contextmanager
def server_of_its_own(version: int) -> Iterator[Server]:
    home = reachable_folder()
    server = postgres.start(home, version)
    try:
        server.run_sql("ALTER SYSTEM SET fsync = off; ALTER SYSTEM SET max_prepared_transactions = 5;")
        restart(server, version)
        yield server
    finally:
        postgres.stop_server(home, version)
        shutil.rmtree(home)


@contextmanager
def server_of_a_maker(version: int) -> Iterator[Server]:
    """One whose owner of stores may make databases, and rename his own."""
    with server_of_its_own(version) as own:
        own.run_sql(f"ALTER ROLE {postgres.ROLE} CREATEDB;")
        yield own


def restart(server: Server, version: int) -> None:
    """The port stays: no one else took it in the meantime, or the test fails."""
    postgres.stop_server(_home(server), version)
    assert postgres.start(_home(server), version).port == server.port


def stop_immediately(server: Server, version: int) -> None:
    """As in a crash: the server writes nothing more, and has to recover when it starts."""
    _run(server, version, "pg_ctl", "-m", "immediate", "-w", "stop")


def move_on_to_epoch(server: Server, version: int, epoch: int) -> None:
    """Let the cluster's transactions be numbered from epoch * 2^32 on."""
    postgres.stop_server(_home(server), version)
    _run(server, version, "pg_resetwal", "--epoch", str(epoch))
    assert postgres.start(_home(server), version).port == server.port


@contextmanager
def standby(server: Server, version: int) -> Iterator[Callable[[str], str]]:
    """A server that follows another; what is yielded runs a statement on it."""
    cluster = Cluster.below(_home(server), version)
    data = cluster.folder / "standby"
    _succeed([cluster.programs / "pg_basebackup", "-D", data, "-d", server.dsn("postgres", "postgres"), "-R"])
    port = remembered_port(cluster.folder / "standby-port")
    source = f"host={HOST} port={server.port} user=postgres password={server.password('postgres')}"
    with (data / "postgresql.auto.conf").open("a") as stream:
        stream.write(f"port = {port}\nprimary_conninfo = '{source}'\n")
    for file in (data, *data.rglob("*")):
        cluster.user.own(file)
    pg_ctl = (cluster.programs / "pg_ctl", "-D", data, "-w")
    done = cluster.user.run([*pg_ctl, "-l", data / "log", "-o", f"-p {port}", "start"])
    assert done.returncode == 0, done.stdout
    try:
        yield replace(server, port=port).run_sql
    finally:
        cluster.user.run([*pg_ctl, "-m", "immediate", "stop"])


def _succeed(command: Sequence[str | Path]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _run(server: Server, version: int, program: str, *arguments: str) -> None:
    cluster = Cluster.below(_home(server), version)
    done = cluster.user.run([cluster.programs / program, "-D", cluster.data, *arguments])
    assert done.returncode == 0, done.stdout


def _home(server: Server) -> Path:
    return server.passfile.parent
