"""What processes of their own do to the spool that the environment names: add to it, empty it, be killed at it."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
from pathlib import Path
from typing import Any

from openlineage.client.event_v2 import Job, Run, RunEvent, RunState

from lineage_core.errors import NeedsOperator
from lineage_core.ingest import ingestion as ingest
from lineage_core.ingest.spool import Spool
from lineage_core.postgres.store import Store
from lineage_core.settings import ProjectSettings
from lineage_core.testing import named_job, run_event, to_json
from lineage_core.transport import PostgresConfig, PostgresTransport

_SPAWN = multiprocessing.get_context("spawn")


def emit(name: str, config: PostgresConfig | None = None) -> None:
    event = RunEvent(
        eventType=RunState.START,
        eventTime="2026-11-20T06:00:00Z",
        run=Run("01941e0d-5b1c-7c6e-8a2b-3f5b6d7e8f90"),
        job=Job("airflow", name),
        producer="https://example.org/producer",
    )
    PostgresTransport(config or PostgresConfig()).emit(event)


def put(folder: Path, *names: str) -> None:
    for name in names:
        with Spool(folder).put(to_json(run_event(job=named_job(name)))):
            pass


def fill(folder: Path, most_bytes: int) -> None:
    """Adds until it is full."""
    while True:
        try:
            with Spool(folder, most_bytes).put(b"{}"):
                pass
        except NeedsOperator:
            return


def drain(database: Store, folder: Path) -> None:
    with database.connect(autocommit=True) as connection:
        ingest.drain(connection, Spool(folder))


def walk(act: str, *labels: str) -> list[str]:
    """Emits or drains again and again, each time killed one call to the system of files later.

    Gives the calls of an undisturbed act. What is emitted, or put there to be drained, is named for its label and the
    number of the call before which it was killed.
    """
    receiving, sending = _SPAWN.Pipe(duplex=False)
    walker = _SPAWN.Process(target=_walk, args=(act, labels, sending))
    walker.start()
    sending.close()
    calls: list[str] = receiving.recv()
    walker.join()
    assert len(calls) > 10
    return calls


def _walk(act: str, labels: tuple[str, ...], sending: Any) -> None:
    """In a process of one thread, which may fork."""
    logging.disable()
    _act(act, labels, "which imports all", _Calls(None))
    undisturbed = _Calls(None)
    _act(act, labels, "undisturbed", undisturbed)
    for number in range(len(undisturbed.passed)):
        child = os.fork()
        if child == 0:
            _act(act, labels, str(number), _Calls(number))
            os._exit(1)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status), f"call {number} was not reached"
        drain(*_places())  # what it left must not move the next one's calls
    sending.send(undisturbed.passed)


def _act(act: str, labels: tuple[str, ...], number: str, calls: _Calls) -> None:
    database, folder = _places()
    if act == "drain":
        put(folder, *(f"{label} {number}" for label in labels))
    sys.setprofile(calls.look)
    try:
        if act == "drain":
            drain(database, folder)
        else:
            emit(f"{labels[0]} {number}")
    finally:
        sys.setprofile(None)


def _places() -> tuple[Store, Path]:
    settings = ProjectSettings.from_environment()
    return Store(str(settings.dsn)), settings.spool


class _Calls:
    """The calls to the system of files that a process makes, before one of which it is killed."""

    def __init__(self, killed_before: int | None) -> None:
        self.passed: list[str] = []
        self._killed_before = killed_before

    def look(self, _frame: object, event: str, function: Any) -> None:
        if event != "c_call" or getattr(function, "__module__", None) not in ("posix", "fcntl"):
            return
        if len(self.passed) == self._killed_before:
            os.kill(os.getpid(), signal.SIGKILL)
        self.passed.append(function.__name__)
