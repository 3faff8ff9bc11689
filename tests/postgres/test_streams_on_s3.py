"""Streams below an `s3://` URL: all that `lineage stream` does, and a server that is away."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from lineage_core import files
from lineage_core.changelog import StreamFolder
from lineage_core.cli import main
from lineage_core.errors import NeedsOperator, TryAgain
from lineage_core.files import FileFolder
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from tests.support.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, LocalS3, local_s3
from tests.unit.test_stream_folder import appended

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (gen_random_uuid(), now(), now(), %s)"
URL = f"s3://{BUCKET}/streams"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def s3(monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalS3]:
    with local_s3(monkeypatch) as server:
        yield server


@pytest.fixture
def run(database: Store, s3: LocalS3, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("LINEAGE_DSN", database.dsn)
    monkeypatch.setenv("LINEAGE_STREAMS_URL", URL)

    def run(*words: str) -> tuple[int, str]:
        with pytest.raises(SystemExit) as ended:
            main(["stream", *words])
        output = capsys.readouterr()
        assert SECRET_KEY not in output.out + output.err
        assert ACCESS_KEY not in output.out + output.err
        return int(ended.value.code or 0), output.out + output.err

    return run


def _add(store: Store, name: str) -> None:
    with store.connect() as connection:
        connection.execute(TAG, [name])


def _described(run: Run) -> Any:
    return json.loads(run("describe", "tags", "--json")[1])


def _readers(paths: list[str]) -> dict[str, list[str]]:
    """What each example of the page makes of the parts."""
    page = (PROJECT / "docs" / "how-to" / "keep-streams-on-s3.md").read_text()
    found = dict[str, list[str]]()
    for reader, example in re.findall(r"^### (.+?)$.*?^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        names: dict[str, Any] = {"paths": paths}
        exec(example, names)
        found[reader] = list(names["tags"])
    return found


def test_a_stream_lives_on_s3(run: Run, database: Store, s3: LocalS3, tmp_path: Path) -> None:
    run("start", "tags")
    s3.stop()
    assert run("verify", "tags")[0] == 1
    s3.start()
    _add(database, "blue")
    assert json.loads(run("publish", "--json")[1])["records"] == 1
    (part,) = _described(run)["parts"]
    assert part["path"].startswith(f"{URL}/tags/history/")
    assert json.loads(run("read", "tags")[1])["name"] == json.loads(run("tail", "tags")[1])["name"] == "blue"
    assert run("verify", "tags") == (0, "tags: 1 records in 1 parts, 0 faults\n")

    _add(database, "red")
    s3.stop()
    for words in (["publish"], ["read", "tags"], ["verify", "tags"], ["replay", "tags", "--to", str(tmp_path / "x")]):
        code, output = run(*words)
        assert (code, "cannot be used now" in output, "run again" in output) == (1, True, True), output
    assert _described(run)["next_offset"] == 1

    s3.start()
    assert json.loads(run("publish", "--json")[1])["records"] == 1
    assert json.loads(run("publish", "--json")[1])["records"] == 0
    assert run("verify", "tags") == (0, "tags: 2 records in 2 parts, 0 faults\n")
    assert run("replay", "tags", "--to", str(tmp_path / "state.parquet"))[0] == 0
    assert sorted(pq.read_table(tmp_path / "state.parquet").column("name").to_pylist()) == ["blue", "red"]
    readers = _readers([part["path"] for part in _described(run)["parts"]])
    assert readers == {reader: ["blue", "red"] for reader in ("pandas", "Polars", "PyArrow")}

    (first, _) = (part["path"] for part in _described(run)["parts"])
    files.remove(FileFolder(first))
    code, output = run("verify", "tags")
    assert (code, "it is not there" in output) == (1, True)


def test_a_stream_is_compacted_on_s3(
    run: Run, database: Store, s3: LocalS3, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINEAGE_STREAMS_URL", f"{URL}-compacted")  # what another test has left is no file of this store
    run("start", "tags")
    for name in ("blue", "red", "green"):
        _add(database, name)
        run("publish")
    before = _described(run)["parts"]
    s3.stop()
    code, output = run("compact")
    assert (code, "cannot be used now" in output) == (1, True), output
    assert _described(run)["parts"] == before
    s3.start()
    outcome = json.loads(run("compact", "--json")[1])
    (merged,) = outcome["streams"]
    assert (merged["parts_before"], merged["parts_after"], merged["checkpoint"], outcome["orphans"]) == (3, 1, 3, 0)
    (part,) = _described(run)["parts"]
    assert (part["start"], part["end"]) == (0, 2)
    assert run("verify", "tags") == (0, "tags: 3 records in 1 parts, 0 faults\n")
    assert run("replay", "tags", "--to", str(tmp_path / "state.parquet"))[0] == 0
    assert sorted(pq.read_table(tmp_path / "state.parquet").column("name").to_pylist()) == ["blue", "green", "red"]
    there = [one["path"] for one in before]
    assert [files.content(path) is not None for path in there] == [True] * 3, "a reader may still have their names"
    assert json.loads(run("compact", "--grace-hours", "0", "--json")[1])["deleted"] == 3
    assert [files.content(path) is not None for path in there] == [False] * 3
    assert run("verify", "tags") == (0, "tags: 3 records in 1 parts, 0 faults\n")


def test_of_two_writers_on_s3_one_is_refused(s3: LocalS3) -> None:
    stream = StreamFolder(FileFolder(URL).below("mine"), "mine")
    head = stream.head()
    first = appended(stream, head, 1)
    with pytest.raises(TryAgain, match="has moved meanwhile"):
        appended(stream, head, 2)
    s3.stop()
    with pytest.raises(TryAgain, match="cannot be used now"):
        stream.head()
    s3.start()
    assert appended(stream, stream.head(), 2).parts[0] == first.parts[0]


def test_a_bucket_that_is_not_there_is_not_made(s3: LocalS3) -> None:
    stream = StreamFolder(FileFolder("s3://mistaken-name/mine"), "mine")
    with pytest.raises(NeedsOperator, match=r"There is no bucket for mistaken-name/mine/.*make it"):
        appended(stream, stream.head(), 1)


def test_without_credentials_a_person_is_needed(s3: LocalS3, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    with pytest.raises(NeedsOperator, match=r"has no credentials: .*Nothing was read; set them"):
        StreamFolder(FileFolder(URL).below("mine"), "mine").head()
