"""`lineage serve` as it runs, and the command line beside it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import IO

import httpx

from lineage_core.postgres.store import Store
from lineage_core.settings import inherited_environment

LINEAGE = Path(sys.executable).with_name("lineage")


def lineage(store: Store, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINEAGE, *arguments],
        env=inherited_environment() | {"LINEAGE_DSN": store.dsn},
        capture_output=True,
        text=True,
        check=False,
    )


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port: int = taken.getsockname()[1]
    return port


@contextmanager
def serving(store: Store, *options: str, port: int | None = None) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address, and the process. It is killed at the end, unless the test has ended it.

    What it logs goes to a file without a name: a pipe that no one reads would stop it.
    """
    port = port or free_port()
    with tempfile.TemporaryFile("w+") as log:
        process = subprocess.Popen(
            [LINEAGE, "serve", "--port", str(port), *options],
            env=inherited_environment() | {"LINEAGE_DSN": store.dsn},
            stderr=log,
            stdout=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_until_ready(url, process, log)
            yield url, process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait_until_ready(url: str, process: subprocess.Popen[str], log: IO[str]) -> None:
    for _ in range(200):
        assert process.poll() is None, log.seek(0) or log.read()
        try:
            if httpx.get(f"{url}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the receiver is not ready")
