"""Processes of this machine: which are below another one, whether they live, and how they are ended."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import psutil


def descendants() -> list[psutil.Process]:
    """The living processes below this one, but those that were given a session of their own so that they go on."""
    session = os.getsid(0)
    return [process for process in psutil.Process().children(recursive=True) if lives(process, session)]


def family(pid: int) -> list[psutil.Process]:
    """The living processes from this one down."""
    try:
        first = psutil.Process(pid)
    except psutil.NoSuchProcess:
        return []
    return living([first])


def living(processes: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Those that have not ended, and what is below them by now."""
    found = dict[int, psutil.Process]()
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            found |= {one.pid: one for one in (process, *process.children(recursive=True)) if lives(one)}
    return list(found.values())


def lives(process: psutil.Process, session: int | None = None) -> bool:
    """Whether it has not ended; of a session, also whether it belongs to that."""
    try:
        is_of_it = session is None or os.getsid(process.pid) == session
        return is_of_it and process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except (psutil.Error, OSError):
        return False


def end_processes(
    find: Callable[[], list[psutil.Process]], seconds: float, ask: Callable[[], list[psutil.Process]] | None = None
) -> None:
    """Ask processes to end, and kill those that do not, and what they start meanwhile, until none is found.

    ask: finds those that are asked, if they end the others themselves.
    """
    until = time.monotonic() + seconds
    asked = set[int]()
    while found := find():
        is_over = time.monotonic() > until
        for process in found if is_over or ask is None else ask():
            if is_over or process.pid not in asked:
                asked.add(process.pid)
                with suppress(psutil.Error):
                    process.kill() if is_over else process.terminate()
        psutil.wait_procs(found, timeout=0.05)
