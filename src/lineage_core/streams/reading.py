"""Streams as their readers see them: what there is, what it says, and whether it is whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lineage_core.changelog import STANDARD
from lineage_core.changelog.parts import read_part
from lineage_core.changelog.replay import offset_at, records_between
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.declare.streams import SYSTEM_COLUMNS, DeclaredStream, all_streams
from lineage_core.errors import BrokenStream, NeedsOperator, TryAgain, WrongUsage
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.streams.arrow_records import rows_of_records
from lineage_core.streams.checkpointing import (
    files_of_stream,
    lines_since,
    parts_since,
    records_since,
    state_after,
)
from lineage_core.streams.parts import BytesRead, published_tables, stream_folder, unnoticed
from lineage_core.streams.publisher_file import refuse_other_root
from lineage_core.streams.replay import replayed
from lineage_core.streams.store import changes, heads, stream_files
from lineage_core.streams.store.compacted import StreamCheckpoint, checkpoint
from lineage_core.streams.store.schemas import stream_schemas
from lineage_core.streams.store.switches import started_streams, stream_named

_SYSTEM_TIME = SYSTEM_COLUMNS[2]

WAIT_SECONDS = 0.5
"""Between two looks at a head that is waited for."""

ReadProgress = Callable[[int, int], object]
"""Called with how many bytes of files are read, and of how many."""


def unseen(_done: int, _total: int) -> None:
    """Where no one looks how far the work is."""


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


@dataclass(frozen=True)
class PublishedVersion:
    """What there is of a stream at one moment: all that a read depends on."""

    head: heads.StreamHead | None
    parts: list[heads.PublishedPart]
    schemas: StreamSchemas
    checkpoint: StreamCheckpoint | None = None

    @property
    def next_offset(self) -> int:
        return self.head.next_offset if self.head else 0


@dataclass(frozen=True)
class StreamVerification:
    """What was looked at, what is wrong with it, and the files that belong to no stream.

    is_compared: whether it was compared with its table. It is not if it is off, if its next publication begins with
    all that differs, or if a fault was found before.
    """

    records: int
    parts: int
    faults: list[str]
    orphans: list[str]
    is_compared: bool


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
    begin = _offset(stream.name, FileFolder(root), version, since)
    end = version.next_offset if until is None else _offset(stream.name, FileFolder(root), version, until)
    asked = [part for part in version.parts if begin <= part.end_offset and part.start_offset < end]
    tables = published_tables(stream.name, FileFolder(root), asked, _migration(version.schemas, reader_schema))
    for_each = zip(asked, tables, strict=True)
    return (records_between(table, part.start_offset, begin, end) for part, table in for_each)


def _offset(stream: str, root: FileFolder, version: PublishedVersion, moment: int | datetime) -> int:
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


def write_replayed(
    store: Store,
    root: str,
    name: str,
    to: Path,
    at: int | datetime | None = None,
    progress: ReadProgress = unseen,
) -> int:
    """Writes the rows that the stream says are there as one Parquet file, in its latest schema; how many they are.

    at: the last record that counts, by its offset, or the system time up to which records count; all if None. Raises
    WrongUsage if the record is not published, or has a +C that belongs to it, and if there is no folder for the file.
    """
    stream = stream_named(name)
    if not to.absolute().parent.is_dir():
        raise WrongUsage(f"There is no folder for {to}: make it, or name another file")
    version = version_below(store, root, stream.name)
    if isinstance(at, datetime):
        behind = _offset(stream.name, FileFolder(root), version, at + timedelta(microseconds=1))
        if behind == 0:
            raise WrongUsage(f"The stream {name} has no record of {at.isoformat()} or before")
        at = behind - 1
    if at is None:
        since, parts = version.checkpoint, version.parts
    else:
        since, parts = _begin_of_replay(stream.name, version, at)
    was_read = _ReadBytes(progress, _bytes_of_replay(since, parts))
    if at is None:
        state = _last_state(stream, FileFolder(root), version, was_read)
    else:
        state = _state_at(stream, FileFolder(root), version, at, was_read)
    pq.write_table(state, to)
    return len(state)


def verify(
    store: Store, root: str, name: str, *, from_start: bool = False, progress: ReadProgress = unseen
) -> StreamVerification:
    """Whether every file is there as it was written, whether records keep the rules, and whether a stream that is on,
    with what waits to be published, is what its table has.

    from_start: applies all records, and compares the checkpoint with what they give; if not, those behind the
    checkpoint are applied.
    """
    stream = stream_named(name)
    folder = FileFolder(root)
    version = version_below(store, root, stream.name)
    was_read = _ReadBytes(progress, _bytes_of_verification(version, from_start))
    faults = list(_faults_of_offsets(version)) or list(
        _faults_of_records(stream, folder, version, from_start, was_read)
    )
    differences = None if faults else _differences(store, folder, stream, was_read)
    return StreamVerification(
        records=sum(part.end_offset - part.start_offset + 1 for part in version.parts),
        parts=len(version.parts),
        faults=[*faults, *(differences or ())],
        orphans=_orphans(store, folder, stream.name),
        is_compared=differences is not None,
    )


def _orphans(store: Store, root: FileFolder, stream: str) -> list[str]:
    """Files in the folders of a stream that it does not have, and that compaction has not seen yet."""
    there = files_of_stream(root, stream)
    with store.session("lineage_reader") as connection:
        known = stream_files.known_files(connection, stream)
    return sorted(path.rpartition("/")[2] for path in there if path not in known)


class _ReadBytes:
    """Counts what is read, and tells it."""

    def __init__(self, progress: ReadProgress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def __call__(self, size: int) -> None:
        self._done += size
        self._progress(self._done, max(self._total, self._done))


def _bytes_of_replay(since: StreamCheckpoint | None, parts: Sequence[heads.PublishedPart]) -> int:
    """Of the files that a replay of these parts reads."""
    return (since.bytes if since else 0) + sum(part.bytes for part in parts_since(parts, since))


def _bytes_of_verification(version: PublishedVersion, from_start: bool) -> int:
    """Of the files that are read, each as often as it is: the state is made for itself, and for the comparison."""
    since = version.checkpoint
    whole = sum(part.bytes for part in version.parts)
    read = 2 * _bytes_of_replay(since, version.parts)
    if since is None:
        return read
    before = sum(part.bytes for part in version.parts if part.end_offset < since.next_offset)
    return read + (whole + since.bytes if from_start else before)


def _last_state(
    stream: DeclaredStream, root: FileFolder, version: PublishedVersion, was_read: BytesRead = unnoticed
) -> pa.Table:
    return state_after(stream, root, version.parts, version.schemas.to_latest(), version.checkpoint, was_read)


def _state_at(
    stream: DeclaredStream, root: FileFolder, version: PublishedVersion, at: int, was_read: BytesRead = unnoticed
) -> pa.Table:
    since, parts = _begin_of_replay(stream.name, version, at)
    migration = version.schemas.to_latest()
    tables = list(records_since(stream.name, root, parts, migration, since, was_read))
    if tables:
        tables[-1] = STANDARD.records_up_to(stream.name, tables[-1], at)
    before = None if since is None else state_after(stream, root, (), migration, since, was_read)
    return replayed(stream, tables, before)


def _begin_of_replay(
    stream: str, version: PublishedVersion, at: int
) -> tuple[StreamCheckpoint | None, list[heads.PublishedPart]]:
    """The checkpoint from which on a replay up to a record begins, and the parts up to there. Raises WrongUsage."""
    if not 0 <= at < version.next_offset:
        raise WrongUsage(f"The stream {stream} has no record {at}: {version.next_offset} are published, from 0 on")
    since = version.checkpoint
    if since is not None and since.next_offset > at + 1:
        since = None
    return since, [part for part in version.parts if part.start_offset <= at]


def published_version(store: Store, stream: str) -> PublishedVersion:
    """Head, parts, schemas and checkpoint of one moment."""
    with store.session("lineage_reader") as connection:
        return version_seen(connection, stream)


def version_below(store: Store, root: str, stream: str) -> PublishedVersion:
    """The same, for who is to read its files. Raises NeedsOperator if they are below another root."""
    with store.session("lineage_reader", autocommit=True) as connection:
        refuse_other_root(connection, root)
        return version_seen(connection, stream)


def version_seen(connection: Connection, stream: str) -> PublishedVersion:
    """The same, by a connection that is in no transaction, or is to begin one."""
    with connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return PublishedVersion(
            heads.head(connection, stream),
            heads.parts(connection, stream),
            stream_schemas(connection, stream),
            checkpoint(connection, stream),
        )


def _faults_of_offsets(version: PublishedVersion) -> Iterator[str]:
    """The first fault: what comes behind it may only follow from it."""
    head, found = version.head, version.parts
    ends = [-1, *(part.end_offset for part in found)]
    for part, end in zip(found, ends, strict=False):
        if part.start_offset != end + 1:
            yield f"{part.path} begins with offset {part.start_offset}, and {end + 1} is the next"
            return
    if head is not None and head.next_offset != ends[-1] + 1:
        yield f"the head is at offset {head.next_offset}, and the last part ends with {ends[-1]}"


def _faults_of_records(
    stream: DeclaredStream, root: FileFolder, version: PublishedVersion, from_start: bool, was_read: BytesRead
) -> Iterator[str]:
    """The first fault. Each file is read, also where its records are not applied."""
    since, migration = version.checkpoint, version.schemas.to_latest()
    before = [part for part in version.parts if since is not None and part.end_offset < since.next_offset]
    try:
        if from_start and since is not None:
            state = _state_at(stream, root, replace(version, checkpoint=None), since.next_offset - 1, was_read)
            if not STANDARD.has_same_rows(state, state_after(stream, root, (), migration, since, was_read)):
                yield f"{since.path} is not what the records below offset {since.next_offset} give"
                return
        else:
            for _ in published_tables(stream.name, root, before, migration, was_read):
                pass
        _last_state(stream, root, version, was_read)
    except (NeedsOperator, BrokenStream) as error:
        yield str(error)


def _differences(store: Store, root: FileFolder, stream: DeclaredStream, was_read: BytesRead) -> list[str] | None:
    """In one transaction, so that head, changes and table are of one moment. None if there is nothing to compare."""
    with store.session("lineage_reader") as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        head = heads.head(connection, stream.name)
        started = {one.name: one.started_xid for one in started_streams(connection)}
        schemas = stream_schemas(connection, stream.name)
        if head is None or head.published is None or started.get(stream.name) != head.started_xid:
            return None
        if head.schema_id != schemas.latest_id:
            return None  # the next publication begins with all that differs
        since = checkpoint(connection, stream.name)
        parts = heads.parts(connection, stream.name)
        lines = lines_since(stream, root, parts, schemas.to_latest(), since, was_read)
        changes.keep_published(connection, stream, lines)
        found = changes.stream_differences(connection, stream, head.published)
    missing = [f"{found.only_in_table} rows of the table are not in the stream"] if found.only_in_table else []
    if stream.is_log or not found.only_in_stream:
        return missing
    return [*missing, f"{found.only_in_stream} rows of the stream are not in the table"]
