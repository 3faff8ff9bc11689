"""Streams in folders: commits that are there whole, once, in their order."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pytest

from lineage_core import files
from lineage_core.changelog import FolderHead, StreamFolder, StreamPart, numbered, write_part
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
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


def test_a_column_of_a_later_part_is_null_in_those_before(stream: StreamFolder) -> None:
    head = appended(stream, stream.head(), 1)
    wider = pa.table({"op": pa.array([0], pa.uint8()), "id": [2], "note": ["new"]})
    head = stream.append(head, [write_part(stream.history, stream.name, 1, numbered(wider, 1, TIME))], TIME)
    assert stream.records(head)["note"].to_pylist() == [None, "new"]


def test_parts_of_unlike_types_are_not_put_together(stream: StreamFolder) -> None:
    head = appended(stream, stream.head(), 1)
    other = pa.table({"op": pa.array([0], pa.uint8()), "id": [2.5]})
    head = stream.append(head, [write_part(stream.history, stream.name, 1, numbered(other, 1, TIME))], TIME)
    with pytest.raises(NeedsOperator, match=r"The parts of the stream scores .* do not have the same types: .*id"):
        stream.records(head)


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


def test_a_commit_that_is_gone_or_damaged_is_told(tmp_path: Path) -> None:
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


def test_the_example_of_the_page_publishes_a_correction(tmp_path: Path) -> None:
    page = (PROJECT / "docs" / "how-to" / "publish-a-stream.md").read_text()
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    names: dict[str, Any] = {"url": str(tmp_path)}
    exec(example, names)
    assert len(names["paths"]) == 2
    records = names["stream"].records(names["stream"].head())
    assert records.select(["op", "place", "player_name"]).to_pydict() == {
        "op": [0, 0, 2, 3],
        "place": [1, 2, 2, 2],
        "player_name": ["Alice", "Bob", "Bob", "Charlie"],
    }
