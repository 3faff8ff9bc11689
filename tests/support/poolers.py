"""PgBouncer in front of a test's server, where the machine has it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from lineage_core.local.ports import HOST, answers, remembered_port
from lineage_core.local.postgres import Server
from lineage_core.local.postgres_cluster import ROLE
from lineage_core.local.postgres_programs import ServerUser
from tests.support.servers import reachable_folder
from tests.support.waiting import until

PGBOUNCER = shutil.which("pgbouncer", path=f"{os.defpath}:/usr/sbin:/usr/local/sbin")

CONFIGURATION = """
[databases]
* = host={host} port={port}
[pgbouncer]
listen_addr = {host}
listen_port = {listen_port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
logfile = {folder}/log
pidfile = {folder}/pid
pool_mode = {pool_mode}
default_pool_size = {pool_size}
server_round_robin = {round_robin}
"""


@contextmanager
def pgbouncer(server: Server, pool_mode: str, *, pool_size: int = 10, round_robin: bool = False) -> Iterator[Server]:
    """The server as it is behind a pooler: DSNs name the pooler's port."""
    user, folder = ServerUser.for_this_process(), reachable_folder()
    port = remembered_port(folder / "port")
    (folder / "users").write_text(f'"{ROLE}" "{server.password(ROLE)}"\n')
    (folder / "configuration").write_text(
        CONFIGURATION.format(
            host=HOST,
            port=server.port,
            listen_port=port,
            folder=folder,
            pool_mode=pool_mode,
            pool_size=pool_size,
            round_robin=int(round_robin),
        )
    )
    for path in (folder, *folder.iterdir()):
        user.own(path)
    started = user.run([PGBOUNCER or "pgbouncer", "--daemon", "--quiet", folder / "configuration"])
    assert started.returncode == 0, started.stdout
    until(lambda: answers(port))
    try:
        yield Server(server.programs, port, server.passfile)
    finally:
        process = psutil.Process(int((folder / "pid").read_text()))
        process.terminate()
        process.wait()
        shutil.rmtree(folder)
