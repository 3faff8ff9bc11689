"""Processes that go on after we end: started with a log, found again by a pid file, ended with all below them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

GRACE_SECONDS = 15.0
"""How long a process may take to end by itself before it is killed."""


DETACH = '"$@" < /dev/null >> "$0" 2>&1 & echo $!'
"""A shell script that starts its arguments, with a log, and says the id of the new process."""


@dataclass(frozen=True)
class Service:
    """A process by name; `<folder>/<name>.pid` notes which process it is."""

    name: str
    command: Sequence[str]
    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "logs" / f"{self.name}.log"

    @property
    def pid_file(self) -> Path:
        return self.folder / f"{self.name}.pid"

    def start(self, environment: Mapping[str, str]) -> None:
        """Start it in a session of its own and as nobody's child, so that our end, or Ctrl-C, does not end it."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        started = subprocess.run(  # noqa: S603
            ["/bin/sh", "-c", DETACH, self.log, *self.command],
            env=dict(environment),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            start_new_session=True,
        )
        pid = int(started.stdout)
        self.pid_file.write_text(f"{pid} {_created(pid)}\n")

    def process(self) -> psutil.Process | None:
        """The process if it lives; a process that got the same id later is not it."""
        if not self.pid_file.exists():
            return None
        pid, created = self.pid_file.read_text().split()
        try:
            process = psutil.Process(int(pid))
            alive = str(process.create_time()) == created and process.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return None
        return process if alive else None

    def log_end(self, lines: int = 15) -> str:
        """The last lines of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:]) if self.log.exists() else ""


def stop(services: Sequence[Service]) -> bool:
    """End the services and all processes below them; False if none ran."""
    ours = [process for service in services if (process := service.process()) is not None]
    # Listed before the first signal: a child whose parent is gone can no longer be found.
    family = [*ours, *(child for process in ours for child in _children(process))]
    for process in ours:
        _signal(process, psutil.Process.terminate)
    _, remaining = psutil.wait_procs(family, timeout=GRACE_SECONDS)
    for process in remaining:
        _signal(process, psutil.Process.kill)
    psutil.wait_procs(remaining, timeout=GRACE_SECONDS)
    for service in services:
        service.pid_file.unlink(missing_ok=True)
    return bool(ours)


def _created(pid: int) -> float | None:
    """When the process began; None if it has ended already."""
    try:
        return psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return None


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        return process.children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def _signal(process: psutil.Process, send: Callable[[psutil.Process], None]) -> None:
    try:
        send(process)
    except psutil.NoSuchProcess:
        return
