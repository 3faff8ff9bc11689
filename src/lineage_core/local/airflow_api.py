"""The few calls of Airflow's public API that the demo makes."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from lineage_core.errors import NeedsOperator, StoreUnavailable
from lineage_core.local.ports import HOST

ENDED = frozenset({"success", "failed"})
PARTS = ("metadatabase", "scheduler", "dag_processor", "triggerer")

NOT_FOUND, CONFLICT, FIRST_ERROR = 404, 409, 400


@dataclass
class AirflowApi:
    """A client of the API server on `port`, logged in at the first call that needs it."""

    port: int
    user: str
    password: str = field(repr=False)
    _token: str | None = field(default=None, repr=False)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.port}"

    def unhealthy_parts(self) -> list[str]:
        """The parts of Airflow that are not up; all of them while the API server does not answer."""
        try:
            status, health = self._send("GET", "/api/v2/monitor/health", None, {})
        except StoreUnavailable:
            return ["api_server"]
        if status >= FIRST_ERROR:
            return ["api_server"]
        return [part for part in PARTS if (health.get(part) or {}).get("status") != "healthy"]

    def knows_dag(self, dag: str) -> bool:
        status, _ = self._try("GET", f"/api/v2/dags/{dag}")
        return status != NOT_FOUND

    def ensure_pool(self, name: str, slots: int, description: str) -> None:
        body = {"name": name, "slots": slots, "description": description}
        status, answer = self._try("POST", "/api/v2/pools", body)
        if status >= FIRST_ERROR and status != CONFLICT:
            raise NeedsOperator(f"Airflow does not make the pool {name}: {status} {answer}")

    def pause(self, dag: str) -> None:
        self._set_paused(dag, True)

    def unpause(self, dag: str) -> None:
        self._set_paused(dag, False)

    def trigger(self, dag: str, conf: dict[str, Any], run_after: datetime | None = None) -> str:
        """Start a run and give its id, which has the time of now. Waiting runs begin in the order of `run_after`, which
        is now by default."""
        now = datetime.now(UTC)
        body = {
            "dag_run_id": f"manual__{now.isoformat()}",
            "logical_date": None,
            "conf": conf,
            "run_after": (run_after or now).isoformat(),
        }
        answer = self._call("POST", f"/api/v2/dags/{dag}/dagRuns", body)
        return str(answer["dag_run_id"])

    def run_state(self, dag: str, run: str) -> str:
        return str(self._call("GET", f"/api/v2/dags/{dag}/dagRuns/{run}")["state"])

    def runs(self, dag: str) -> list[dict[str, Any]]:
        """All runs of a DAG, with id, type and state."""
        return list(self._call("GET", f"/api/v2/dags/{dag}/dagRuns?limit=100")["dag_runs"])

    def task_states(self, dag: str, run: str) -> dict[str, str]:
        """State of each task of a run that has one."""
        answer = self._call("GET", f"/api/v2/dags/{dag}/dagRuns/{run}/taskInstances")
        return {task["task_id"]: task["state"] for task in answer["task_instances"] if task["state"]}

    def backfill(self, dag: str, start: str, end: str) -> None:
        """Ask for the runs of a span of time; both ends are included."""
        body = {"dag_id": dag, "from_date": start, "to_date": end, "max_active_runs": 1}
        self._call("POST", "/api/v2/backfills", body)

    def _set_paused(self, dag: str, is_paused: bool) -> None:
        self._call("PATCH", f"/api/v2/dags/{dag}?update_mask=is_paused", {"is_paused": is_paused})

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        status, answer = self._try(method, path, body)
        if status >= FIRST_ERROR:
            raise StoreUnavailable(f"Airflow answers {method} {path} with {status}: {answer}")
        return answer

    def _try(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
        if self._token is None:
            self._token = self._login()
        return self._send(method, path, body, {"Authorization": f"Bearer {self._token}"})

    def _login(self) -> str:
        status, answer = self._send("POST", "/auth/token", {"username": self.user, "password": self.password}, {})
        if status >= FIRST_ERROR:
            raise NeedsOperator(f"Airflow at {self.address} refuses the user {self.user}: {status}")
        return str(answer["access_token"])

    def _send(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> tuple[int, dict[str, Any]]:
        connection = HTTPConnection(HOST, self.port, timeout=30)
        content = json.dumps(body) if body is not None else None
        try:
            connection.request(method, path, content, headers | {"Content-Type": "application/json"})
            response = connection.getresponse()
            text = response.read().decode()
        except (OSError, HTTPException) as error:
            raise StoreUnavailable(f"Airflow at {self.address} does not answer: {error}") from error
        finally:
            connection.close()
        return response.status, json.loads(text) if text.startswith("{") else {"text": text}


LINES = 15


def log_end(logs: Path, dag: str, run: str) -> str:
    """Where the log of the last task of a run is, and its end."""
    files = sorted((logs / f"dag_id={dag}" / f"run_id={run}").rglob("*.log"), key=_modified)
    if not files:
        return f"No log of it below {logs}."
    messages = [words for line in files[-1].read_text(errors="replace").splitlines() if (words := _message(line))]
    return "\n".join([f"The end of {files[-1]}:", *messages[-LINES:]])


def _message(line: str) -> str:
    """The message of a line, empty for marks of groups and for Java's call stacks."""
    words = str(json.loads(line).get("event", "")) if line.startswith("{") else line
    return "" if words.startswith(("::", "at ")) else words


def _modified(path: Path) -> float:
    return path.stat().st_mtime
