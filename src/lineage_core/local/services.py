"""Services: processes that go on after we end, with a log, found again by a pid file, ended with all below them."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from lineage_core.interrupts import uninterrupted
from lineage_core.processes import end_processes, lives

GRACE_SECONDS = 15.0
"""How long processes may take to end by themselves before they are killed."""

CLOCK_SECONDS = 2.0
"""By how much the time at which a process began may seem to move when the clock is set."""

DETACH = '"$@" < /dev/null >> "$0" 2>&1 & echo $! $$'
"""A shell script that starts its arguments, with a log, and says the ids of the new process and of its session."""


@dataclass(frozen=True)
class Note:
    """What a pid file says: the process, the session that it and all below it belong to, and when it began."""

    pid: int
    session: int
    began: float

    @classmethod
    def read(cls, file: Path) -> Note | None:
        if not file.exists():
            return None
        pid, session, began = file.read_text().split()
        return cls(int(pid), int(session), float(began))

    def write(self, file: Path) -> None:
        file.write_text(f"{self.pid} {self.session} {self.began}\n")

    def process(self) -> psutil.Process | None:
        """The process if it lives; one that got the same id later is not it."""
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.began) < CLOCK_SECONDS
        except psutil.NoSuchProcess:
            return None
        return process if same and lives(process) else None

    def members(self) -> list[psutil.Process]:
        """All living processes of the session. A child whose parent was killed is found in no other way."""
        return [process for process in psutil.process_iter() if self._has(process)]

    def _has(self, process: psutil.Process) -> bool:
        try:
            return lives(process, self.session) and process.create_time() > self.began - CLOCK_SECONDS
        except psutil.Error:
            return False


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
        """Start it in a session of its own and as no child of ours, so that our end, or Ctrl-C, does not end it."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with uninterrupted():  # one without note would never be found again
            self._start(environment)

    def _start(self, environment: Mapping[str, str]) -> None:
        began = time.time()
        started = subprocess.run(  # noqa: S603
            ["/bin/sh", "-c", DETACH, self.log, *self.command],
            env=dict(environment),
            cwd=self.folder,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            start_new_session=True,
        )
        pid, session = started.stdout.split()
        Note(int(pid), int(session), began).write(self.pid_file)

    def process(self) -> psutil.Process | None:
        """The process if it lives."""
        note = Note.read(self.pid_file)
        return note.process() if note else None

    def log_end(self, lines: int = 15) -> str:
        """The last lines of its log."""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:]) if self.log.exists() else ""


def stop_services(services: Sequence[Service]) -> bool:
    """End the services and all processes of their sessions; False if none was there."""
    notes = [note for service in services if (note := Note.read(service.pid_file)) is not None]
    found = _members(notes)
    end_processes(
        lambda: _members(notes),
        GRACE_SECONDS,
        ask=lambda: [process for note in notes if (process := note.process())],
    )
    for service in services:
        service.pid_file.unlink(missing_ok=True)
    return bool(found)


def _members(notes: Iterable[Note]) -> list[psutil.Process]:
    return [process for note in notes for process in note.members()]
