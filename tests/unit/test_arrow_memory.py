"""No thread of Arrow is left with memory of Python when the process ends."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lineage_core import files
from lineage_core.changelog import write_part
from lineage_core.changelog.layout import OPERATION, TIME
from lineage_core.changelog.parts import read_checkpoint, read_part, readable, write_checkpoint
from lineage_core.files import FileFolder
from lineage_core.settings import PROJECT

ROWS = {"number": [1, 2, 3]}


def _part(folder: FileFolder) -> Callable[[], pa.Table]:
    time = pa.array([datetime(2026, 6, 1, tzinfo=UTC)] * 3, TIME)
    system = {"offset": [0, 1, 2], "op": pa.array([0] * 3, OPERATION), "system_time": time, "event_time": time}
    part = write_part(folder, "numbers", 0, pa.table(system | ROWS))
    return lambda: read_part(folder, part)


def _checkpoint(folder: FileFolder) -> Callable[[], pa.Table]:
    file = write_checkpoint(folder, "numbers", 0, 3, pa.table(ROWS))
    return lambda: read_checkpoint(folder, file)


@pytest.mark.parametrize("written", [_part, _checkpoint])
def test_a_file_of_a_stream_is_read_from_memory_of_arrow(
    written: Callable[[FileFolder], Callable[[], pa.Table]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, content, read_table = written(FileFolder(str(tmp_path))), files.content, pq.read_table
    met, sources = list[bytes](), list[Any]()

    def content_that_is_kept(url: str) -> bytes | None:
        data = content(url)
        met.extend([] if data is None else [data])
        return data

    def read_from(source: Any) -> pa.Table:
        sources.append(source)
        return read_table(source)

    monkeypatch.setattr(files, "content", content_that_is_kept)
    monkeypatch.setattr(pq, "read_table", read_from)
    assert read().column("number").to_pylist() == ROWS["number"]
    data = met.pop()
    (source,) = sources
    assert sys.getrefcount(data) == 2, f"{source} holds what Python has read"


def test_what_arrow_reads_is_a_copy() -> None:
    data = bytes(range(256))
    reader = readable(data)
    assert sys.getrefcount(data) == 2
    assert reader.read() == data


def test_no_other_module_lets_arrow_read_memory_of_python() -> None:
    """What Arrow has written itself is Arrow's memory anyway, and a writer works in the thread that calls it."""
    gives = re.compile(r'BufferReader\((?!sink\.getvalue\(\)|buffer\))|read_csv\(\s*io\.|PythonFile\((?!.*mode="w")')
    found = [path.name for path in (PROJECT / "src").rglob("*.py") if gives.search(path.read_text())]
    assert found == []
