"""Streams as their readers see them: what there is, and what it says."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

import pyarrow as pa

from lineage_core.changelog.parts import read_part
from lineage_core.changelog.replay import offset_at, records_between
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.declare.streams import SYSTEM_COLUMNS, all_streams
from lineage_core.errors import TryAgain
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.postgres.store import Store
from lineage_core.streams.arrow_records import rows_of_records
from lineage_core.streams.parts import published_tables, stream_folder
from lineage_core.streams.published_versions import PublishedVersion, published_version, version_below
from lineage_core.streams.store import heads
from lineage_core.streams.store.compacted import StreamCheckpoint
from lineage_core.streams.store.switches import started_streams, stream_named

_SYSTEM_TIME = SYSTEM_COLUMNS[2]

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
class ListedCheckpoint:
    """The rows that are there before the record `next_offset`.

    reordered_by: the last stream schema by which rows were no longer in the order of the key, None if there never was
    one. Whether they are in that order now is `is_ordered`.
    """

    path: str
    next_offset: int
    schema_id: int
    rows: int
    bytes: int
    is_ordered: bool
    reordered_by: int | None


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
    checkpoint: ListedCheckpoint | None


def list_streams(store: Store) -> list[ListedStream]:
    """Every stream, on or not, by name."""
    with store.session("lineage_reader") as connection:
        on = {started.name for started in started_streams(connection)}
    return [ListedStream(stream.name, stream.name, stream.name in on) for stream in all_streams()]


def describe(store: Store, root: str, name: str) -> DescribedStream:
    """A stream that was never published has no parts. No file is looked at. Raises WrongUsage if there is no such
    stream.
    """
    stream = stream_named(name)
    version = published_version(store, stream.name)
    folder = FileFolder(root)
    return DescribedStream(
        name=stream.name,
        table=stream.name,
        key=list(stream.key),
        schema_id=version.schemas.latest_id or 0,
        next_offset=version.next_offset,
        published_upto=version.next_offset,
        parts=[
            ListedPart(f"{folder}/{part.path}", part.start_offset, part.end_offset, part.schema_id, part.bytes)
            for part in version.parts
        ],
        checkpoint=_listed_checkpoint(folder, version.checkpoint),
    )


def _listed_checkpoint(root: FileFolder, found: StreamCheckpoint | None) -> ListedCheckpoint | None:
    if found is None:
        return None
    return ListedCheckpoint(
        path=f"{root}/{found.path}",
        next_offset=found.next_offset,
        schema_id=found.schema_id,
        rows=found.rows,
        bytes=found.bytes,
        is_ordered=found.is_ordered,
        reordered_by=found.reordered_by,
    )


def records(
    store: Store,
    root: str,
    name: str,
    since: int | datetime = 0,
    reader_schema: pa.Schema | None = None,
    until: int | datetime | None = None,
) -> Iterator[dict[str, Any]]:
    """The records as they are published now, a dictionary each, from `since` on and before `until`: each an offset, or
    a system time.

    reader_schema: the data columns that the reader knows, the latest schema if None. Raises ReaderFenced, before the
    first record, if they are no longer what the data can be migrated to.
    """
    return chain.from_iterable(map(rows_of_records, record_tables(store, root, name, since, reader_schema, until)))


def record_tables(
    store: Store,
    root: str,
    name: str,
    since: int | datetime = 0,
    reader_schema: pa.Schema | None = None,
    until: int | datetime | None = None,
) -> Iterator[pa.Table]:
    """The same in Arrow: a table for each part that has some."""
    stream = stream_named(name)
    version = version_below(store, root, stream.name)
    begin = offset_of(stream.name, FileFolder(root), version, since)
    end = version.next_offset if until is None else offset_of(stream.name, FileFolder(root), version, until)
    asked = [part for part in version.parts if begin <= part.end_offset and part.start_offset < end]
    tables = published_tables(stream.name, FileFolder(root), asked, _migration(version.schemas, reader_schema))
    for_each = zip(asked, tables, strict=True)
    return (records_between(table, part.start_offset, begin, end) for part, table in for_each)


def offset_of(stream: str, root: FileFolder, version: PublishedVersion, moment: int | datetime) -> int:
    """That of the first record from an offset or a system time on."""
    if isinstance(moment, int):
        return moment

    def system_times(part: heads.PublishedPart) -> pa.ChunkedArray:
        return read_part(stream_folder(root, stream), part.file(stream)).column(_SYSTEM_TIME)

    return offset_at(moment, version.parts, system_times)


def _migration(schemas: StreamSchemas, reader_schema: pa.Schema | None) -> DataMigration:
    return schemas.to_latest() if reader_schema is None else schemas.to_reader(reader_schema)


def reader_schema(
    store: Store, name: str, schema_id: int | None = None, columns: Sequence[str] | None = None
) -> pa.Schema:
    """The schema of a reader that was written for one of a stream's schemas (`StreamSchemas.reader_schema`)."""
    return published_version(store, stream_named(name).name).schemas.reader_schema(schema_id, columns)


def wait_for(store: Store, name: str, offset: int, seconds: float, reader_schema: pa.Schema | None = None) -> None:
    """Waits until the record of an offset is published. Raises TryAgain if it is not after so many seconds, and
    ReaderFenced once a reader of this schema is fenced, published or not.
    """
    listener = StreamListener(store, name, reader_schema)
    deadline = time.monotonic() + seconds
    while (there := listener.next_offset()) <= offset:
        if time.monotonic() >= deadline:
            raise TryAgain(f"The stream {name} has records up to {there - 1}, and none of offset {offset} yet")
        time.sleep(WAIT_SECONDS)


class StreamListener:
    """Looks again and again how far a stream is published, and whether its reader's schema still fits.

    It is checked whenever the schema of the stream has evolved, also when no record has come since.
    """

    def __init__(self, store: Store, name: str, reader_schema: pa.Schema | None = None) -> None:
        """reader_schema: None is a reader of whatever schema is the latest, who is never fenced."""
        self._store = store
        self._stream = stream_named(name).name
        self._reader_schema = reader_schema
        self._checked: int | None = None

    def next_offset(self) -> int:
        """Behind the last record that is published. Raises ReaderFenced."""
        found = stream_position(self._store, self._stream)
        if self._reader_schema is not None and found.schema_id != self._checked:
            published_version(self._store, self._stream).schemas.to_reader(self._reader_schema)
            self._checked = found.schema_id
        return found.next_offset


def stream_position(store: Store, stream: str) -> heads.StreamPosition:
    """How far a stream is published, and the id of its latest schema."""
    with store.session("lineage_reader") as connection:
        return heads.position(connection, stream)


def next_offset(store: Store, name: str) -> int:
    """Behind the last record that is published."""
    return stream_position(store, stream_named(name).name).next_offset
