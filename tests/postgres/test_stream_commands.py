"""`lineage stream`, as scripts use it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lineage_core.cli import main
from lineage_core.postgres.connection import connect

pytestmark = pytest.mark.postgres

TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), %s)"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("LINEAGE_DSN", database)
    monkeypatch.setenv("LINEAGE_STREAMS_URL", str(tmp_path / "streams"))

    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["stream", *words])
        told = capsys.readouterr()
        return int(ended.value.code or 0), told.out + told.err

    return run


def _json(run: Run, *words: str) -> Any:
    code, told = run(*words)
    assert code == 0, told
    return json.loads(told)


def test_a_stream_is_started_published_described_and_replayed(run: Run, database: str, tmp_path: Path) -> None:
    assert {"name": "tags", "table": "tags", "is_on": False} in _json(run, "list", "--json")
    assert _json(run, "describe", "tags", "--json") == {
        "name": "tags",
        "table": "tags",
        "key": ["uuid"],
        "schema_id": 0,
        "next_offset": 0,
        "published_upto": 0,
        "parts": [],
    }
    assert run("start", "tags") == (0, "The stream tags is on.\n")
    assert run("start", "tags") == (0, "The stream tags was on already.\n")
    with connect(database) as connection:
        connection.execute(TAG, ["blue"])
    published = _json(run, "publish", "--json")
    assert (published["records"], published["parts"], published["starting"]) == (1, 1, [])
    described = _json(run, "describe", "tags", "--json")
    (part,) = described["parts"]
    assert (described["next_offset"], described["published_upto"]) == (1, 1)
    assert (part["start"], part["end"], part["schema_id"]) == (0, 0, 0)
    assert Path(part["path"]).stat().st_size == part["bytes"]
    assert pq.read_table(part["path"]).column("name").to_pylist() == ["blue"]
    assert run("replay", "tags", "--to", str(tmp_path / "state.parquet"))[0] == 0
    assert pq.read_table(tmp_path / "state.parquet").column("name").to_pylist() == ["blue"]
    assert run("verify", "tags") == (0, "tags: 1 records in 1 parts, 0 faults\n")
    assert json.loads(run("read", "tags", "--wait-for", "0")[1])["op"] == 0
    assert json.loads(run("tail", "tags")[1])["name"] == "blue"
    assert run("stop", "tags") == (0, "The stream tags is off.\n")
    assert run("stop", "tags") == (0, "The stream tags was off already.\n")
    assert _json(run, "publish", "--json")["streams"] == []


def test_a_stream_that_is_not_whole_fails_its_verification(run: Run, database: str, tmp_path: Path) -> None:
    run("start", "tags")
    with connect(database) as connection:
        connection.execute(TAG, ["blue"])
    run("publish")
    next(tmp_path.rglob("*.parquet")).unlink()
    code, told = run("verify", "tags")
    assert code == 1
    assert "it is not there" in told


def test_what_cannot_be_is_told(run: Run) -> None:
    assert run("start", "leases")[0] == 2
    code, told = run("read", "tags", "--wait-for", "3", "--wait-seconds", "0")
    assert code == 1
    assert "none of offset 3 yet" in told
