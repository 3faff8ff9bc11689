"""`lineage serve` as it runs: its processes, how they end, and real clients."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from lineage_core.receiver.store.tokens import create_token
from lineage_core.settings import inherited_environment
from lineage_core.testing import named_job, run_event
from tests.support.how_tos import lines_for
from tests.support.stores import rows

pytestmark = pytest.mark.postgres

LINEAGE = Path(sys.executable).with_name("lineage")


def lineage(dsn: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [LINEAGE, *arguments],
        env=inherited_environment() | {"LINEAGE_DSN": dsn},
        capture_output=True,
        text=True,
        check=False,
    )


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port: int = taken.getsockname()[1]
    return port


@contextmanager
def serving(dsn: str, *options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address, and the process. It is killed at the end, unless the test has ended it."""
    port = free_port()
    process = subprocess.Popen(
        [LINEAGE, "serve", "--port", str(port), *options],
        env=inherited_environment() | {"LINEAGE_DSN": dsn},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_ready(url, process)
        yield url, process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def _wait_until_ready(url: str, process: subprocess.Popen[str]) -> None:
    for _ in range(200):
        assert process.poll() is None, process.communicate()
        try:
            if httpx.get(f"{url}/readyz").status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the receiver is not ready")


def events(dsn: str) -> set[str]:
    return {name for (name,) in rows(dsn, "SELECT event -> 'job' ->> 'name' FROM lineage_events")}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_ends_when_it_is_asked_to_with_what_was_on_its_way(database: str, workers: str) -> None:
    with serving(database, "--without-tokens", "--workers", workers) as (url, process):
        assert httpx.post(f"{url}/api/v1/lineage", json=run_event()).status_code == 201
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=30)
    assert process.returncode in (0, 128 + signal.SIGTERM)
    assert "Traceback" not in stderr
    assert len(events(database)) == 1


def test_what_was_answered_outlives_the_process(database: str) -> None:
    answered = set()
    with serving(database, "--without-tokens") as (url, process), httpx.Client(base_url=url) as client:
        for number in range(50):
            name = f"job {number}"
            if client.post("/api/v1/lineage", json=run_event(job=named_job(name))).status_code == 201:
                answered.add(name)
        process.kill()
    assert len(answered) == 50
    assert events(database) == answered


def test_a_token_is_made_used_listed_and_revoked_on_the_command_line(database: str) -> None:
    made = lineage(database, "token", "create", "--name", "spark", "--namespace", "shop*", "--expires", "90d")
    token = made.stdout.split()[-1]
    as_json = lineage(database, "token", "create", "--name", "dbt", "--namespace", "*", "--json")
    assert json.loads(as_json.stdout)["token"].startswith("lineage_")
    with serving(database) as (url, _), httpx.Client(headers={"Authorization": f"Bearer {token}"}) as client:
        event = run_event(job=named_job("a", namespace="shop"))
        assert client.post(f"{url}/api/v1/lineage", json=event).status_code == 201
        assert lineage(database, "token", "revoke", "--name", "spark").returncode == 0
        assert client.post(f"{url}/api/v1/lineage", json=event).status_code == 401
    listed = json.loads(lineage(database, "token", "list", "--json").stdout)
    assert [(one["name"], one["revoked_at"] is None) for one in listed] == [("spark", False), ("dbt", True)]
    assert token not in lineage(database, "token", "list").stdout


WRONG: dict[str, tuple[Sequence[str], str]] = {
    "without tokens for others": (("serve", "--without-tokens", "--host", "0.0.0.0"), "takes a loopback address"),
    "an unknown token": (("token", "revoke", "--name", "nobody"), "There is no token 'nobody'"),
    "an age that is none": (("token", "create", "--name", "a", "--namespace", "*", "--expires", "soon"), "is no age"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_usage_is_told(database: str, arguments: Sequence[str], message: str) -> None:
    done = lineage(database, *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_name_is_taken_once(database: str) -> None:
    create_token(database, "spark", ["*"], None)
    done = lineage(database, "token", "create", "--name", "spark", "--namespace", "*")
    assert (done.returncode, "There is a token 'spark' already" in done.stderr) == (2, True)


EMIT = """
from openlineage.client import OpenLineageClient, event_v2
run, job = event_v2.Run(runId="00000000-0000-0000-0000-000000000007"), event_v2.Job(namespace="scheduler", name="daily")
client = OpenLineageClient()
for state in (event_v2.RunState.START, event_v2.RunState.COMPLETE):
    client.emit(event_v2.RunEvent(eventTime="2026-01-01T00:00:00Z", run=run, job=job, eventType=state))
"""


def test_the_python_client_sends_events_with_the_lines_of_the_how_to(database: str) -> None:
    token = create_token(database, "python", ["scheduler"], None)
    with serving(database) as (url, _):
        lines = lines_for("openlineage-python").replace("http://127.0.0.1:5000", url).replace("TOKEN", token.text)
        settings = dict(line.removeprefix("export ").split("=", 1) for line in lines.splitlines())
        assert len(settings) == 5
        subprocess.run([sys.executable, "-c", EMIT], env=inherited_environment() | settings, check=True)
    assert rows(database, "SELECT event_type FROM lineage_events ORDER BY event_type") == [("COMPLETE",), ("START",)]


def test_curl_sends_an_event_with_the_lines_of_the_how_to(database: str, tmp_path: Path) -> None:
    token = create_token(database, "curl", ["*"], None)
    (tmp_path / "event.json").write_text(json.dumps(run_event()))
    with serving(database) as (url, _):
        lines = lines_for("curl").replace("http://127.0.0.1:5000", url).replace("TOKEN", token.text)
        subprocess.run(["sh", "-c", lines], cwd=tmp_path, check=True, capture_output=True)
    assert len(events(database)) == 1
