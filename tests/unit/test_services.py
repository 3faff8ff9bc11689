"""Processes that outlive their starter: found again, never confused with others, ended with all below them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from lineage_core.local import services
from lineage_core.local.services import Service

ENVIRONMENT = {"PATH": os.defpath}


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A shell with a child that ignores the polite signal."""
    monkeypatch.setattr(services, "GRACE_SECONDS", 0.2)
    script = "sh -c 'trap \"\" TERM; echo ready; sleep 60; sleep 60' & wait"
    service = Service("sleeper", ("/bin/sh", "-c", script), tmp_path)
    yield service
    services.stop_services([service])


def _started(service: Service) -> psutil.Process:
    service.start(ENVIRONMENT)
    while "ready" not in service.log_end():
        time.sleep(0.01)
    process = service.process()
    assert process is not None
    return process


def test_a_started_process_is_found_again(service: Service) -> None:
    process = _started(service)
    again = Service(service.name, service.command, service.folder)
    assert again.process() == process


def test_nothing_below_a_stopped_process_goes_on(service: Service) -> None:
    process = _started(service)
    family = [process, *process.children(recursive=True)]
    assert len(family) >= 3
    assert services.stop_services([service])
    _, alive = psutil.wait_procs(family, timeout=5)
    assert alive == []
    assert service.process() is None


def test_a_child_is_found_when_its_parents_were_killed(service: Service) -> None:
    process = _started(service)
    child, *_ = children = process.children(recursive=True)
    process.kill()
    child.kill()
    assert services.stop_services([service])
    _, alive = psutil.wait_procs(children, timeout=5)
    assert alive == []


def test_stopping_what_does_not_run_is_reported(service: Service) -> None:
    assert not services.stop_services([service])


def test_another_process_with_the_same_id_is_left_alone(service: Service) -> None:
    service.folder.mkdir(exist_ok=True)
    service.pid_file.write_text(f"{os.getpid()} {os.getsid(0)} {time.time() + 60}\n")
    assert service.process() is None
    assert not services.stop_services([service])
    assert not service.pid_file.exists()


def test_the_environment_of_a_process_is_the_given_one(tmp_path: Path) -> None:
    service = Service("teller", ("/bin/sh", "-c", 'echo "given: $GIVEN, home: <$HOME>"'), tmp_path)
    service.start({"GIVEN": "yes"})
    while not service.log_end():
        time.sleep(0.01)
    assert service.log_end() == "given: yes, home: <>"
    services.stop_services([service])
