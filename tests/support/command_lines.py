"""The command lines of all processes of the machine, looked at again and again, as anybody on it may."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import psutil

SECONDS = 0.1
YOUNG_SECONDS = 3.0
"""A process that is older keeps its command line: what starts a program does so at once."""


def command_line(process: psutil.Process) -> list[str]:
    """Its words; none if it has ended meanwhile."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def _line_of(pid: int) -> str:
    with suppress(psutil.NoSuchProcess):
        return " ".join(command_line(psutil.Process(pid)))
    return ""


@contextmanager
def seen_command_lines() -> Iterator[set[str]]:
    """All that were seen while the block runs; the set grows meanwhile."""
    seen, over = set[str](), threading.Event()

    def look() -> None:
        first_seen: dict[int, float] = {}
        while not over.wait(SECONDS):
            now = time.monotonic()
            first_seen = {pid: first_seen.get(pid, now) for pid in psutil.pids()}
            young = [pid for pid, since in first_seen.items() if now - since < YOUNG_SECONDS]
            seen.update(line for line in map(_line_of, young) if line)

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()
