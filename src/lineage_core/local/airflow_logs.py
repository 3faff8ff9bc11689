"""The logs of Airflow's tasks, read by a person: what was said, without who said it where and when."""

from __future__ import annotations

import json
from pathlib import Path

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
