"""Streams in folders: commits that are there whole, once, in their order."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pytest

from lineage_core import files
from lineage_core.changelog import FolderHead, StreamFolder, StreamPart, numbered, write_part
from lineage_core.errors import NeedsOperator, SchemaRefused, TryAgain, WrongUsage
from lineage_core.files import FileFolder
from lineage_core.settings import PROJECT
from tests.support.record_tables import TIME


@pytest.fixture(params=["disk", "memory"])
def stream(request: pytest.FixtureRequest, tmp_path: Path) -> StreamFolder:
    url = str(tmp_path) if request.param == "disk" else f"memory://{uuid4().hex}"
    return StreamFolder(FileFolder(url).below("scores"), "scores")


def part(stream: StreamFolder, head: FolderHead, *ids: int) -> StreamPart:
    changes = pa.table({"op": pa.array([0] * len(ids), pa.uint8()), "id": list(ids)})
    return write_part(stream.history, stream.name, 0, numbered(changes, head.next_offset, TIME))


def appended(stream: StreamFolder, head: FolderHead, *ids: int) -> FolderHead:
    return stream.append(head, [part(stream, head, *ids)], TIME)


def test_commits_add_up(stream: StreamFolder) -> None:
    empty = stream.head()
    assert (empty.next_offset, empty.commits, empty.system_time, stream.paths(empty)) == (0, 0, None, [])
    head = appended(stream, appended(stream, empty, 1, 2), 3)
    assert stream.head() == head
    assert stream.append(head, [], TIME) == stream.head() == head
    assert stream.records(head).select(["offset", "id"]).to_pydict() == {"offset": [0, 1, 2], "id": [1, 2, 3]}
    assert [files.content(path) is not None for path in stream.paths(head)] == [True, True]


def test_a_column_of_a_later_schema_is_null_in_the_parts_before(stream: StreamFolder) -> None:
    appended(stream, stream.head(), 1)
    head = stream.evolve(pa.schema([("id", pa.int64()), ("note", pa.string())]), system_time=TIME)
    wider = pa.table({"op": pa.array([0], pa.uint8()), "id": [2], "note": ["new"]})
    head = stream.append(head, [write_part(stream.history, stream.name, 1, numbered(wider, 1, TIME))], TIME)
    assert stream.records(head)["note"].to_pylist() == [None, "new"]
    assert appended(stream, head, 3) == stream.head()  # of a writer that does not know the column yet
    assert stream.records(stream.head())["note"].to_pylist() == [None, "new", None]


@pytest.mark.parametrize(
    ("columns", "refusal"),
    [
        ({"id": [2.5]}, "id: double cannot become int64"),
        ({"id": [2], "note": ["new"]}, "note: No schema of the stream ever had it. Evolve the stream first"),
        ({"note": ["new"]}, "note: No schema of the stream ever had it"),
    ],
)
def test_a_part_of_another_schema_is_refused(stream: StreamFolder, columns: dict[str, list[Any]], refusal: str) -> None:
    head = appended(stream, stream.head(), 1)
    other = numbered(pa.table({"op": pa.array([0], pa.uint8()), **columns}), 1, TIME)
    with pytest.raises(SchemaRefused, match=refusal):
        stream.append(head, [write_part(stream.history, stream.name, 0, other)], TIME)
    assert stream.head() == head


def test_a_part_of_a_schema_that_there_is_not_is_refused(stream: StreamFolder) -> None:
    head = appended(stream, stream.head(), 1)
    changes = numbered(pa.table({"op": pa.array([0], pa.uint8()), "id": [2]}), 1, TIME)
    with pytest.raises(WrongUsage, match="The stream scores has no schema 1: it has 1, from 0 on"):
        stream.append(head, [write_part(stream.history, stream.name, 1, changes)], TIME)


def test_a_part_whose_file_is_not_there_is_refused(stream: StreamFolder) -> None:
    missing = part(stream, stream.head(), 1)
    files.remove_file(stream.history.file(missing.name))
    with pytest.raises(WrongUsage, match=r"\.parquet is not in .*: write it there by `write_part`"):
        stream.append(stream.head(), [missing], TIME)
    assert stream.head().commits == 0


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"bytes": 7}, "bytes, and 7 were written"),
        ({"end_offset": 5}, "its last_offset is 0, and not 5"),
        ({"logical_hash": "f16"}, "its logical_hash is .*, and not f16"),
        ({"schema_id": 3}, "its schema_id is 0, and not 3"),
    ],
)
def test_a_part_that_is_not_what_its_file_says_is_refused(
    stream: StreamFolder, wrong: dict[str, Any], reason: str
) -> None:
    written = part(stream, stream.head(), 1)
    with pytest.raises(NeedsOperator, match=rf"is damaged: .*{reason}.*Nothing was published"):
        stream.append(stream.head(), [replace(written, **wrong)], TIME)
    assert stream.head().commits == 0


def test_a_file_that_is_no_parquet_is_refused(stream: StreamFolder) -> None:
    written = part(stream, stream.head(), 1)
    files.replace(stream.history.file(written.name), b"x" * written.bytes)
    with pytest.raises(NeedsOperator, match="is damaged: it is no Parquet file"):
        stream.append(stream.head(), [written], TIME)


def test_of_two_writers_one_is_refused_and_leaves_the_stream_as_it_is(stream: StreamFolder) -> None:
    head = stream.head()
    first = appended(stream, head, 1)
    with pytest.raises(TryAgain, match="has moved meanwhile; nothing was published"):
        appended(stream, head, 2)
    assert stream.head() == first
    assert appended(stream, stream.head(), 2).next_offset == 2


def test_a_repeat_of_what_was_appended_appends_nothing(stream: StreamFolder) -> None:
    """As after an answer that was lost."""
    head = stream.head()
    assert appended(stream, head, 1) == appended(stream, head, 1) == stream.head()


def test_what_a_killed_writer_left_is_no_commit(stream: StreamFolder) -> None:
    head = appended(stream, stream.head(), 1)
    files.put_if_absent(stream.folder.below("commits").file("00000000000000000001.json.0a1b2c3d"), b"{")
    assert stream.head() == head
    assert appended(stream, head, 2) == stream.head()


def test_a_part_of_no_commit_belongs_to_no_stream(stream: StreamFolder) -> None:
    part(stream, stream.head(), 1)
    assert stream.head().parts == ()
    with pytest.raises(WrongUsage, match="has no records yet"):
        stream.records(stream.head())


def test_parts_that_do_not_follow_the_head_are_refused(stream: StreamFolder) -> None:
    first = appended(stream, stream.head(), 1)
    with pytest.raises(WrongUsage, match="begins with offset 0, and 1 is the next"):
        stream.append(first, first.parts, TIME)
    assert stream.head() == first


@pytest.mark.parametrize("time", [TIME - timedelta(seconds=1), TIME.replace(tzinfo=None)])
def test_a_system_time_goes_on_and_has_a_time_zone(stream: StreamFolder, time: datetime) -> None:
    head = appended(stream, stream.head(), 1)
    with pytest.raises(WrongUsage, match="The system time"):
        stream.append(head, [part(stream, head, 2)], time)
    assert head.not_before(TIME - timedelta(days=1)) == TIME
    assert head.not_before(TIME + timedelta(days=1)) == TIME + timedelta(days=1)


def test_a_commit_that_is_gone_or_damaged_is_reported(tmp_path: Path) -> None:
    stream = StreamFolder(FileFolder(str(tmp_path)), "scores")
    appended(stream, appended(stream, stream.head(), 1), 2)
    first = sorted((tmp_path / "commits").iterdir())[0]
    whole = first.read_bytes()
    first.write_bytes(whole[:-1])
    with pytest.raises(NeedsOperator, match=r"00\.json is damaged: it is no JSON"):
        stream.head()
    first.unlink()
    with pytest.raises(NeedsOperator, match=r"00\.json is damaged: it is not there"):
        stream.head()


def test_the_examples_of_the_page_say_what_they_do(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "how-to" / "publish-a-stream.md").read_text()
    examples = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    found: dict[str, Any] = {"url": str(tmp_path)}
    exec("".join(examples), found)
    records = found["stream"].records(found["head"])
    assert records.select(["op", "place", "player_name"]).to_pydict() == {
        "op": [0, 0, 2, 3],
        "place": [1, 2, 2, 2],
        "player_name": ["Alice", "Bob", "Bob", "Eve"],
    }
    assert found["now"]["player_name"].to_pylist() == ["Alice", "Eve"] == found["as_of"]["player_name"].to_pylist()
    assert found["before"]["player_name"].to_pylist() == ["Alice", "Bob"]
    assert (len(found["paths"]), len(found["first_two"]), found["records"].column_names[-1]) == (2, 2, "score")
    assert found["stream"].state()["country"].to_pylist() == ["Peru"]
    assert len(found["stream"].head().parts) == 1
