"""The rows that a stream gives: all of now, or those of a record or a moment before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from lineage_core.changelog import STANDARD
from lineage_core.declare.streams import DeclaredStream
from lineage_core.errors import WrongUsage
from lineage_core.files import FileFolder
from lineage_core.postgres.store import Store
from lineage_core.streams.checkpointing import parts_since, records_since, state_after
from lineage_core.streams.parts import BytesRead, ReadBytes, ReadProgress, unnoticed, unseen
from lineage_core.streams.published_versions import PublishedVersion, version_below
from lineage_core.streams.reading import offset_of
from lineage_core.streams.replay import replayed
from lineage_core.streams.store import heads
from lineage_core.streams.store.compacted import StreamCheckpoint
from lineage_core.streams.store.switches import stream_named


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
        behind = offset_of(stream.name, FileFolder(root), version, at + timedelta(microseconds=1))
        if behind == 0:
            raise WrongUsage(f"The stream {name} has no record of {at.isoformat()} or before")
        at = behind - 1
    if at is None:
        since, parts = version.checkpoint, version.parts
    else:
        since, parts = begin_of_replay(stream.name, version, at)
    was_read = ReadBytes(progress, bytes_of_replay(since, parts))
    if at is None:
        state = last_state(stream, FileFolder(root), version, was_read)
    else:
        state = state_at(stream, FileFolder(root), version, at, was_read)
    pq.write_table(state, to)
    return len(state)


def bytes_of_replay(since: StreamCheckpoint | None, parts: Sequence[heads.PublishedPart]) -> int:
    """Of the files that a replay of these parts reads."""
    return (since.bytes if since else 0) + sum(part.bytes for part in parts_since(parts, since))


def last_state(
    stream: DeclaredStream, root: FileFolder, version: PublishedVersion, was_read: BytesRead = unnoticed
) -> pa.Table:
    return state_after(stream, root, version.parts, version.schemas.to_latest(), version.checkpoint, was_read)


def state_at(
    stream: DeclaredStream, root: FileFolder, version: PublishedVersion, at: int, was_read: BytesRead = unnoticed
) -> pa.Table:
    since, parts = begin_of_replay(stream.name, version, at)
    migration = version.schemas.to_latest()
    tables = list(records_since(stream.name, root, parts, migration, since, was_read))
    if tables:
        tables[-1] = STANDARD.records_up_to(stream.name, tables[-1], at)
    before = None if since is None else state_after(stream, root, (), migration, since, was_read)
    return replayed(stream, tables, before)


def begin_of_replay(
    stream: str, version: PublishedVersion, at: int
) -> tuple[StreamCheckpoint | None, list[heads.PublishedPart]]:
    """The checkpoint from which on a replay up to a record begins, and the parts up to there. Raises WrongUsage."""
    if not 0 <= at < version.next_offset:
        raise WrongUsage(f"The stream {stream} has no record {at}: {version.next_offset} are published, from 0 on")
    since = version.checkpoint
    if since is not None and since.next_offset > at + 1:
        since = None
    return since, [part for part in version.parts if part.start_offset <= at]
