"""The client of Airflow's API: it logs in once, and tells what the server refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from lineage_core.errors import NeedsOperator, StoreUnavailable
from lineage_core.local.airflow_api import PARTS, AirflowApi
from lineage_core.local.ports import remembered_port


@dataclass
class Stub:
    """Answers by method and path, and what was asked."""

    answers: dict[str, tuple[int, dict[str, Any]]]
    asked: list[tuple[str, str | None, Any]] = field(default_factory=list)


@pytest.fixture
def stub() -> Iterator[tuple[Stub, AirflowApi]]:
    """A server that answers what a test tells it to."""
    stub = Stub({"POST /auth/token": (201, {"access_token": "t0ken"})})

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked = f"{self.command} {self.path}"
            stub.asked.append((asked, self.headers.get("Authorization"), json.loads(content) if content else None))
            status, body = stub.answers.get(asked, (404, {"detail": "nothing here"}))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        do_GET = do_POST = do_PATCH = answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Say nothing on standard error."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield stub, AirflowApi(server.server_port, "admin", "pass")
    server.shutdown()
    thread.join()
    server.server_close()


def test_it_logs_in_once_and_shows_its_token(stub: tuple[Stub, AirflowApi]) -> None:
    server, api = stub
    server.answers["GET /api/v2/dags/d/dagRuns/r"] = (200, {"state": "running"})
    assert [api.run_state("d", "r"), api.run_state("d", "r")] == ["running", "running"]
    assert [asked for asked, _, _ in server.asked] == ["POST /auth/token", *["GET /api/v2/dags/d/dagRuns/r"] * 2]
    assert {token for asked, token, _ in server.asked if asked.startswith("GET")} == {"Bearer t0ken"}


def test_parts_that_are_not_healthy_are_named(stub: tuple[Stub, AirflowApi]) -> None:
    server, api = stub
    health: dict[str, Any] = {part: {"status": "healthy"} for part in PARTS}
    server.answers["GET /api/v2/monitor/health"] = (200, health)
    assert api.unhealthy_parts() == []
    health |= {"scheduler": {"status": "unhealthy"}, "triggerer": None}
    assert api.unhealthy_parts() == ["scheduler", "triggerer"]


def test_a_server_that_does_not_answer_is_not_healthy_and_is_reported(tmp_path: Path) -> None:
    api = AirflowApi(remembered_port(tmp_path / "port"), "admin", "pass")
    assert api.unhealthy_parts() == ["api_server"]
    with pytest.raises(StoreUnavailable, match="does not answer"):
        api.run_state("d", "r")


def test_a_pool_that_is_there_is_left(stub: tuple[Stub, AirflowApi]) -> None:
    server, api = stub
    server.answers["POST /api/v2/pools"] = (409, {"detail": "it exists"})
    api.ensure_pool("lineage", 1, "one at a time")
    assert server.asked[-1][2] == {"name": "lineage", "slots": 1, "description": "one at a time"}
    server.answers["POST /api/v2/pools"] = (403, {"detail": "not you"})
    with pytest.raises(NeedsOperator, match="not you"):
        api.ensure_pool("lineage", 1, "one at a time")


def test_a_dag_is_known_when_airflow_has_parsed_it(stub: tuple[Stub, AirflowApi]) -> None:
    server, api = stub
    assert not api.knows_dag("d")
    server.answers["GET /api/v2/dags/d"] = (200, {"dag_id": "d"})
    assert api.knows_dag("d")


def test_a_run_is_asked_for_without_a_date(stub: tuple[Stub, AirflowApi]) -> None:
    server, api = stub
    server.answers["POST /api/v2/dags/d/dagRuns"] = (200, {"dag_run_id": "manual__1"})
    assert api.trigger("d", {"round": 2}) == "manual__1"
    sent = server.asked[-1][2]
    assert (sent["logical_date"], sent["conf"]) == (None, {"round": 2})


def test_what_the_server_refuses_is_reported(stub: tuple[Stub, AirflowApi]) -> None:
    _, api = stub
    with pytest.raises(StoreUnavailable, match=r"404.*nothing here"):
        api.runs("d")


def test_a_wrong_password_is_reported(stub: tuple[Stub, AirflowApi]) -> None:
    server, api = stub
    server.answers["POST /auth/token"] = (401, {"detail": "no"})
    with pytest.raises(NeedsOperator, match="refuses the user admin"):
        api.runs("d")


def test_the_token_and_the_login_are_not_shown(stub: tuple[Stub, AirflowApi]) -> None:
    server, api = stub
    server.answers["GET /api/v2/dags/d"] = (200, {})
    api.knows_dag("d")
    assert "t0ken" not in repr(api)
    assert "pass" not in repr(api).replace("password", "")


def test_a_run_bears_the_time_at_which_it_was_started(stub: tuple[Stub, AirflowApi]) -> None:
    """Also one that is to go before others, which has an earlier place among them."""
    server, api = stub
    server.answers["POST /api/v2/dags/x/dagRuns"] = (200, {"dag_run_id": "the id"})
    before = datetime.now(UTC)
    assert api.trigger("x", {}, before - timedelta(hours=1)) == "the id"
    body = server.asked[-1][2]
    started = datetime.fromisoformat(body["dag_run_id"].removeprefix("manual__"))
    assert before <= started <= datetime.now(UTC)
    assert body["run_after"] == (before - timedelta(hours=1)).isoformat()
