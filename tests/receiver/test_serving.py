"""`lineage serve` as it runs: its processes, how they end, and real clients."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence

import httpx
import pytest

from lineage_core.postgres.store import Store
from lineage_core.receiver.store import create_token
from lineage_core.testing import named_job, run_event
from tests.support.serving import lineage, serving
from tests.support.stores import rows

pytestmark = pytest.mark.postgres


def events(store: Store) -> set[str]:
    return {name for (name,) in rows(store, "SELECT event -> 'job' ->> 'name' FROM lineage_events")}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_it_ends_when_it_is_asked_to_with_what_was_on_its_way(database: Store, workers: str) -> None:
    with serving(database, "--without-tokens", "--workers", workers) as (url, process):
        assert httpx.post(f"{url}/api/v1/lineage", json=run_event()).status_code == 201
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) in (0, 128 + signal.SIGTERM)
    assert len(events(database)) == 1


def test_what_was_answered_outlives_the_process(database: Store) -> None:
    answered = set()
    with serving(database, "--without-tokens") as (url, process), httpx.Client(base_url=url) as client:
        for number in range(50):
            name = f"job {number}"
            if client.post("/api/v1/lineage", json=run_event(job=named_job(name))).status_code == 201:
                answered.add(name)
        process.kill()
    assert len(answered) == 50
    assert events(database) == answered


def test_a_token_is_made_used_listed_and_revoked_on_the_command_line(database: Store) -> None:
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


def test_it_needs_neither_airflow_nor_spark() -> None:
    look = "import sys, lineage_core.receiver.serving; print(sorted({'airflow', 'pyspark'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout == "[]\n"


WRONG: dict[str, tuple[Sequence[str], str]] = {
    "without tokens for others": (("serve", "--without-tokens", "--host", "0.0.0.0"), "takes a loopback address"),
    "an unknown token": (("token", "revoke", "--name", "unused"), "There is no token 'unused'"),
    "an age that is none": (("token", "create", "--name", "a", "--namespace", "*", "--expires", "soon"), "is no age"),
}


@pytest.mark.parametrize(("arguments", "message"), WRONG.values(), ids=WRONG)
def test_wrong_usage_is_reported(database: Store, arguments: Sequence[str], message: str) -> None:
    done = lineage(database, *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_a_name_is_taken_once(database: Store) -> None:
    create_token(database, "spark", ["*"], None)
    done = lineage(database, "token", "create", "--name", "spark", "--namespace", "*")
    assert (done.returncode, "There is a token 'spark' already" in done.stderr) == (2, True)
