"""Commands in processes of their own that get a signal, and what of them is left when they have ended."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from lineage_core.settings import inherited_environment

MARK = "LINEAGE_TEST_MARK"
"""A variable that a command and all that it starts have in their environment, each test another value."""

PATIENCE_SECONDS = 120.0

LINEAGE = str(Path(sys.executable).with_name("lineage"))


@dataclass(frozen=True)
class Ended:
    """How a command ended; `left` are processes that it left behind."""

    code: int
    written: str
    errors: str
    left: list[str]


class Command:
    """A command that runs."""

    def __init__(self, process: subprocess.Popen[str], mark: str) -> None:
        self.process = process
        self._mark = mark

    def family(self) -> list[psutil.Process]:
        """All living processes with the mark."""
        return [process for process in psutil.process_iter() if _is_marked(process, self._mark)]

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def ended(self) -> Ended:
        written, errors = self.process.communicate(timeout=PATIENCE_SECONDS)
        return Ended(self.process.returncode, written, errors, [_line(process) for process in self.family()])


@contextmanager
def running(command: Sequence[str], environment: Mapping[str, str], *, is_awaited: bool = True) -> Iterator[Command]:
    """The command, as soon as signals find it ready. What is left of it at the end of the block is killed.

    is_awaited: whether to wait for that; a script may tell it by what it writes.
    """
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        command,
        env=inherited_environment() | dict(environment) | {MARK: mark},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    started = Command(process, mark)
    try:
        wait_until(lambda: not is_awaited or handles(process.pid, signal.SIGTERM) or process.poll() is not None)
        yield started
    finally:
        for left in started.family():
            left.kill()
        process.communicate()


def handles(pid: int, number: signal.Signals) -> bool:
    """Whether a process has a handler for a signal, as Linux tells."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except FileNotFoundError:
        return False
    caught = next((line.split()[1] for line in lines if line.startswith("SigCgt")), "0")
    return bool(int(caught, 16) >> (number - 1) & 1)


def wait_until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _is_marked(process: psutil.Process, mark: str) -> bool:
    try:
        return process.environ().get(MARK) == mark and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _line(process: psutil.Process) -> str:
    try:
        return f"{process.pid} {' '.join(process.cmdline())[:200]}"
    except psutil.Error:
        return str(process.pid)
