"""Streams as their readers see them: what there is, what it says, and whether it is whole."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lineage_core import files
from lineage_core.errors import BrokenStream, NeedsOperator, TryAgain
from lineage_core.files import FileFolder
from lineage_core.model.streams import DeclaredStream, all_streams
from lineage_core.postgres.connection import connect
from lineage_core.postgres.failures import explained
from lineage_core.streams.arrow_records import rows_of_records
from lineage_core.streams.parts import published_lines, published_tables, stream_folder
from lineage_core.streams.replay import replayed
from lineage_core.streams.store import changes, heads
from lineage_core.streams.store.switches import started_streams, stream_named

WAIT_SECONDS = 0.5
"""Between two looks at a head that is waited for."""


@dataclass(frozen=True)
class ListedStream:
    """A stream that there is, and whether it is on."""

    name: str
    table: str
    is_on: bool


@dataclass(frozen=True)
class ListedPart:
    """A part, by its path or URL, without a secret that it may hold. `start` and `end` are the offsets of its first and
    last records.
    """

    path: str
    start: int
    end: int
    schema_id: int
    bytes: int


@dataclass(frozen=True)
class DescribedStream:
    """What a reader needs to know of a stream. All records below `published_upto` are in its parts."""

    name: str
    table: str
    key: list[str]
    schema_id: int
    next_offset: int
    published_upto: int
    parts: list[ListedPart]


@dataclass(frozen=True)
class Verified:
    """What was looked at, what is wrong with it, and the files that belong to no stream."""

    records: int
    parts: int
    faults: list[str]
    orphans: list[str]


def list_streams(dsn: str) -> list[ListedStream]:
    """Every stream, on or not, by name."""
    with explained("lineage_reader"), connect(dsn) as connection:
        on = {started.name for started in started_streams(connection)}
    return [ListedStream(stream.name, stream.name, stream.name in on) for stream in all_streams()]


def describe(dsn: str, root: str, name: str) -> DescribedStream:
    """A stream that was never published has the schema 0 and no parts. Raises WrongUsage if there is no such stream."""
    stream = stream_named(name)
    head, found = _published(dsn, stream)
    folder = FileFolder(root)
    return DescribedStream(
        name=stream.name,
        table=stream.name,
        key=list(stream.key),
        schema_id=head.schema_id if head else 0,
        next_offset=head.next_offset if head else 0,
        published_upto=head.next_offset if head else 0,
        parts=[
            ListedPart(f"{folder}/{part.path}", part.start_offset, part.end_offset, part.schema_id, part.bytes)
            for part in found
        ],
    )


def records(dsn: str, root: str, name: str, since: int = 0) -> Iterator[dict[str, Any]]:
    """The records from an offset on, as they are published now, a dictionary each."""
    for table in record_tables(dsn, root, name, since):
        yield from rows_of_records(table)


def record_tables(dsn: str, root: str, name: str, since: int = 0) -> Iterator[pa.Table]:
    """The records from an offset on, as they are published now, in Arrow: a table for each part that has some."""
    stream = stream_named(name)
    _, found = _published(dsn, stream)
    later = [part for part in found if part.end_offset >= since]
    for part, table in zip(later, published_tables(stream, FileFolder(root), later), strict=True):
        yield table.slice(max(since - part.start_offset, 0))


def wait_for(dsn: str, name: str, offset: int, seconds: float) -> None:
    """Waits until the record of an offset is published. Raises TryAgain if it is not after so many seconds."""
    stream = stream_named(name)
    deadline = time.monotonic() + seconds
    while (there := next_offset(dsn, stream.name)) <= offset:
        if time.monotonic() >= deadline:
            raise TryAgain(f"The stream {name} has records up to {there - 1}, and none of offset {offset} yet")
        time.sleep(WAIT_SECONDS)


def next_offset(dsn: str, name: str) -> int:
    """Behind the last record that is published."""
    head, _ = _published(dsn, stream_named(name))
    return head.next_offset if head else 0


def write_replayed(dsn: str, root: str, name: str, to: Path) -> int:
    """Writes the rows that the stream says are there as one Parquet file; how many they are."""
    stream = stream_named(name)
    _, found = _published(dsn, stream)
    state = replayed(stream, published_tables(stream, FileFolder(root), found))
    pq.write_table(state, to)
    return len(state)


def verify(dsn: str, root: str, name: str) -> Verified:
    """Whether every part is there as it was written, whether its records keep the rules, and whether the stream, with
    what waits to be published, is what its table has."""
    stream = stream_named(name)
    folder = FileFolder(root)
    head, found = _published(dsn, stream)
    faults = list(_faults_of_records(stream, folder, head, found))
    if not faults and head is not None and head.published is not None:
        faults += _differences(dsn, folder, stream)
    kept = {part.path.rpartition("/")[2] for part in found}
    with files.failures_explained(f"The stream {stream.name} in {folder}", "Nothing was read"):
        there = files.files_in(stream_folder(folder, stream.name))
    return Verified(
        records=sum(part.end_offset - part.start_offset + 1 for part in found),
        parts=len(found),
        faults=faults,
        orphans=sorted(set(there) - kept),
    )


def _published(dsn: str, stream: DeclaredStream) -> tuple[heads.StreamHead | None, list[heads.PublishedPart]]:
    """The head and the parts, of one moment."""
    with explained("lineage_reader"), connect(dsn) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return heads.head(connection, stream.name), heads.parts(connection, stream.name)


def _faults_of_records(
    stream: DeclaredStream, root: FileFolder, head: heads.StreamHead | None, found: list[heads.PublishedPart]
) -> Iterator[str]:
    """The first fault: what comes behind it may only follow from it."""
    ends = [-1, *(part.end_offset for part in found)]
    for part, end in zip(found, ends, strict=False):
        if part.start_offset != end + 1:
            yield f"{part.path} begins with offset {part.start_offset}, and {end + 1} is the next"
            return
    if head is not None and head.next_offset != ends[-1] + 1:
        yield f"the head is at offset {head.next_offset}, and the last part ends with {ends[-1]}"
        return
    try:
        replayed(stream, published_tables(stream, root, found))
    except (NeedsOperator, BrokenStream) as error:
        yield str(error)


def _differences(dsn: str, root: FileFolder, stream: DeclaredStream) -> list[str]:
    """In one transaction, so that head, changes and table are of one moment."""
    with explained("lineage_reader"), connect(dsn) as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        head = heads.head(connection, stream.name)
        started = {one.name: one.started_xid for one in started_streams(connection)}
        if head is None or head.published is None or started.get(stream.name) != head.started_xid:
            return []
        lines = published_lines(stream, root, heads.parts(connection, stream.name))
        changes.keep_published(connection, stream, lines)
        found = changes.stream_differences(connection, stream, head.published)
    missing = [f"{found.only_in_table} rows of the table are not in the stream"] if found.only_in_table else []
    if stream.is_log or not found.only_in_stream:
        return missing
    return [*missing, f"{found.only_in_stream} rows of the stream are not in the table"]
