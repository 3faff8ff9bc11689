"""The command lines of all processes of the machine, looked at again and again, as anybody on it may."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

SECONDS = 0.1


def command_line(process: psutil.Process) -> list[str]:
    """Its words; none if it has ended meanwhile."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


@contextmanager
def seen_command_lines() -> Iterator[set[str]]:
    """All that were seen while the block runs; the set grows meanwhile."""
    seen, over = set[str](), threading.Event()

    def look() -> None:
        while not over.wait(SECONDS):
            # What cannot be read, as of a process that has ended, is None.
            lines = (process.info["cmdline"] for process in psutil.process_iter(["cmdline"]))
            seen.update(" ".join(line) for line in lines if line)

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()
