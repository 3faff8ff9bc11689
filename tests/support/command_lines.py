"""The command lines of all processes of the machine, looked at again and again, as anybody on it may."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

SECONDS = 0.1


def command_line(process: psutil.Process) -> list[str]:
    """Its words; none if it has ended meanwhile."""
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def _line_of(pid: int) -> str:
    """Read from /proc alone, as all processes are looked at ten times a second."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes().rstrip(b"\0").replace(b"\0", b" ").decode(errors="replace")
    return ""


@contextmanager
def seen_command_lines() -> Iterator[set[str]]:
    """All that were seen while the block runs; the set grows meanwhile."""
    seen, over = set[str](), threading.Event()

    def look() -> None:
        while not over.wait(SECONDS):
            seen.update(filter(None, map(_line_of, psutil.pids())))

    looking = threading.Thread(target=look, daemon=True)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()
