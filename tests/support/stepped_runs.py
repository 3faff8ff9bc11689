"""Runs of the main job, the publisher or a compaction, or commands of a long migration, each in a process of its own,
stopped at a chosen step.

A step is one exchange with Postgres: a connection, a statement, a block of a COPY, a commit. It is named for the step
that the job has announced last (`lineage_core.statements`), and for its number since. Whatever the job comes to do is a
step.

This module is also the program: a process that has imported everything forks one child a run, as it is asked on its
standard input.
"""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from lineage_core.postgres.leases import SECONDS_VALID
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment

SLICE_BYTES = 900
KILL, PAUSE = "kill", "pause"
NORMALIZE = "normalize"
PUBLISH = "publish"
COMPACT = "compact"


@dataclass(frozen=True)
class Ended:
    """How a run ended: by which signal, or with which error, or well; and the steps that it went through."""

    signal: int
    error: str | None
    steps: list[str]


class SteppedRuns:
    """The process that forks runs."""

    def __init__(self, process: subprocess.Popen[str], job: str) -> None:
        self._process = process
        self._job = job

    def complete(self, store: Store, command: str = "run") -> Ended:
        self._tell(dsn=store.dsn, stop_at=None, how=KILL, seconds_valid=SECONDS_VALID, command=command)
        return self.ended()

    def killed(self, store: Store, step: str, command: str = "run") -> Ended:
        """A run that kills itself at the step, as `kill -9` does."""
        self._tell(dsn=store.dsn, stop_at=step, how=KILL, seconds_valid=SECONDS_VALID, command=command)
        return self.ended()

    def paused(self, store: Store, step: str, seconds_valid: float = SECONDS_VALID) -> int:
        """A run that waits at the step until `go_on`; its process id. Its lease is renewed meanwhile."""
        self._tell(dsn=store.dsn, stop_at=step, how=PAUSE, seconds_valid=seconds_valid, command="run")
        return int(self._heard()["paused"])

    def go_on(self) -> Ended:
        assert self._process.stdin
        self._process.stdin.write("go on\n")
        self._process.stdin.flush()
        return self.ended()

    def ended(self) -> Ended:
        return Ended(**self._heard())

    def _tell(self, **message: Any) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message | {"job": self._job}) + "\n")
        self._process.stdin.flush()

    def _heard(self) -> dict[str, Any]:
        assert self._process.stdout
        heard: dict[str, Any] = json.loads(self._process.stdout.readline())
        return heard


@contextmanager
def stepped_runs(job: str = NORMALIZE, project: Path = PROJECT) -> Iterator[SteppedRuns]:
    """Of the main job, of the publisher or a compaction, whose command is the root of the streams, or of the long
    migration that is named, by the code of this project or of a changed copy."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.stepped_runs"],
        cwd=PROJECT,
        env=inherited_environment() | {"PYTHONPATH": str(project / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield SteppedRuns(process, job)
        assert process.stdin
        process.stdin.close()


def _serve() -> None:
    from lineage_core.normalize import normalization  # noqa: F401 - imported once, for all children
    from lineage_core.streams import (
        compaction,  # noqa: F401
        publication,  # noqa: F401
    )

    while line := _unbuffered(sys.stdin).readline():
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            _run(json.loads(line), write)
        os.close(write)
        _, status = os.waitpid(child, 0)
        with os.fdopen(read) as reports:
            message = reports.read() or json.dumps({"error": None, "steps": []})
        _say(json.loads(message) | {"signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0})


def _unbuffered(stream: TextIO) -> io.RawIOBase:
    """The stream below the buffers: a child must not find there what is meant for its parent."""
    buffer = stream.buffer
    assert isinstance(buffer, io.BufferedReader)
    assert isinstance(buffer.raw, io.RawIOBase)
    return buffer.raw


def _say(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def _run(message: dict[str, Any], write: int) -> None:
    """The child: never returns."""
    from lineage_core.errors import LineageError
    from lineage_core.normalize import normalization
    from lineage_core.postgres.leases import held_lease

    vars(normalization)["held_lease"] = partial(held_lease, seconds_valid=message["seconds_valid"])
    steps = _Steps(message["stop_at"], message["how"])
    steps.watch()
    error = None
    try:
        _job(message["job"], message["command"], Store(message["dsn"]))
    except LineageError as raised:
        error = f"{type(raised).__name__}: {raised}"
    os.write(write, json.dumps({"error": error, "steps": steps.passed}).encode())
    os._exit(0)


def _job(job: str, command: str, store: Store) -> None:
    from lineage_core.long_migrations import workers as migration
    from lineage_core.long_migrations.store import end, records
    from lineage_core.normalize import normalization
    from lineage_core.streams import compaction, publication
    from lineage_core.tasks import HERE, ThreadRunner

    if job == NORMALIZE:
        normalization.normalize(store, HERE, slice_bytes=SLICE_BYTES)
        return
    if job == PUBLISH:
        publication.publish(store, command)
        return
    if job == COMPACT:
        compaction.compact(store, command, grace=timedelta(0))
        return
    commands: dict[str, Callable[[], object]] = {
        "run": lambda: migration.migrate(store, job, ThreadRunner()),
        "plan": lambda: records.plan(store, job),
        "finalize": lambda: end.finalize(store, job),
        "cancel": lambda: end.cancel(store, job),
    }
    commands[command]()


class _Steps:
    """Counts the exchanges with Postgres behind each step that the job announces, and stops at one of them."""

    def __init__(self, stop_at: str | None, how: str) -> None:
        self.passed: list[str] = []
        self._announced = "start"
        self._visits: Counter[str] = Counter()
        self._stop_at = stop_at
        self._how = how

    def watch(self) -> None:
        from lineage_core.postgres.connection import Connection
        from lineage_core.statements import STEP

        def hear(event: str, arguments: tuple[Any, ...]) -> None:
            if event == STEP and threading.current_thread() is threading.main_thread():
                (self._announced,) = arguments

        sys.addaudithook(hear)
        exchange, connect = Connection.wait, Connection.connect

        def wait(connection: Connection, *arguments: Any, **options: Any) -> Any:
            self._pass()
            return exchange(connection, *arguments, **options)

        def connected(*arguments: Any, **options: Any) -> Connection:
            self._pass()
            return connect(*arguments, **options)

        Connection.wait = wait  # type: ignore[method-assign, assignment]
        Connection.connect = connected  # type: ignore[method-assign]

    def _pass(self) -> None:
        if threading.current_thread() is not threading.main_thread():
            return
        self._visits[self._announced] += 1
        step = f"{self._announced} {self._visits[self._announced]}"
        self.passed.append(step)
        if step == self._stop_at:
            self._stop()

    def _stop(self) -> None:
        if self._how == KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        _say({"paused": os.getpid()})
        _unbuffered(sys.stdin).readline()


if __name__ == "__main__":
    _serve()
