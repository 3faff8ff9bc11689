"""The processes of a Spark that a test has started, to be killed one by one."""

from __future__ import annotations

import time
from collections.abc import Callable

import psutil

from lineage_core.submission import WORKERS_DAEMON

PATIENCE_SECONDS = 90.0


def java_of(processes: list[psutil.Process]) -> psutil.Process:
    return next(process for process in processes if process.name() == "java")


def python_workers() -> list[psutil.Process]:
    """Those that the Python daemon of this process's Spark has forked."""
    family = psutil.Process().children(recursive=True)
    daemons = [process for process in family if _runs(process, WORKERS_DAEMON)]
    return [worker for daemon in daemons for worker in daemon.children()]


def _runs(process: psutil.Process, module: str) -> bool:
    try:
        return any(module in word for word in process.cmdline())
    except psutil.Error:
        return False


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS:.0f} s for {what}"
        time.sleep(0.1)
