"""The end of a task's log, as a person reads it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from lineage_core.local.airflow_api import LINES, log_end


def _log(logs: Path, attempt: int, *events: str) -> Path:
    file = logs / "dag_id=d" / "run_id=r" / "task_id=t" / f"attempt={attempt}.log"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(json.dumps({"timestamp": "now", "event": event}) + "\n" for event in events))
    os.utime(file, (attempt, attempt))
    return file


def test_the_last_attempt_is_shown_without_noise(tmp_path: Path) -> None:
    last = _log(tmp_path, 10, "::group::Execute", "one", "at org.apache.Spark(Spark.scala:1)", "the cause")
    _log(tmp_path, 9, "an earlier attempt")
    assert log_end(tmp_path, "d", "r") == f"The end of {last}:\none\nthe cause"


def test_only_the_end_of_a_long_log_is_shown(tmp_path: Path) -> None:
    _log(tmp_path, 1, *(f"line {number}" for number in range(100)))
    assert log_end(tmp_path, "d", "r").splitlines()[1:] == [f"line {number}" for number in range(100 - LINES, 100)]


def test_a_run_without_log_is_reported(tmp_path: Path) -> None:
    assert "No log" in log_end(tmp_path, "d", "r")
