"""The heads, schemas and parts of streams: read by everybody, moved by the publisher that holds the lease."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from lineage_core.changelog.parts import StreamPart
from lineage_core.declare.streams import DeclaredStream
from lineage_core.errors import TryAgain
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.typed_rows import every_row, execute, one_row, one_value, row_or_none
from lineage_core.streams.store import changes, stream_files
from lineage_core.streams.store.switches import StartedStream, stream_named

PUBLISH = "publish"
"""Name of the lease under which heads are moved."""

HISTORY = "history"
"""The folder of a stream's parts, in a folder of its name."""


@dataclass(frozen=True)
class StreamHead:
    """How far a stream is published. `published` is None before its first publication after a start."""

    stream: str
    started_xid: int
    waits_for: int
    published: str | None
    next_offset: int
    schema_id: int
    system_time: datetime | None
    version: int
    """Of the row: another one once it was moved, or restored by a dump."""


@dataclass(frozen=True)
class StreamPosition:
    """How far a stream is published, and the id of its latest schema, None if it has none."""

    next_offset: int
    schema_id: int | None


@dataclass(frozen=True)
class PublishedPart:
    """A part that belongs to a stream. Offsets are those of its first and last records."""

    start_offset: int
    end_offset: int
    schema_id: int
    path: str
    """Below the root of all streams."""
    bytes: int
    physical_hash: str
    logical_hash: str
    commit_ends: list[int]
    """Offset of the last record of each transaction that ends in it."""

    def file(self, stream: str) -> StreamPart:
        """The part as its file is known."""
        return StreamPart(
            self.path.rpartition("/")[2],
            stream,
            self.schema_id,
            self.start_offset,
            self.end_offset,
            self.bytes,
            self.physical_hash,
            self.logical_hash,
        )


@dataclass(frozen=True)
class WrittenPart:
    """A part whose file is written, and that belongs to no stream yet."""

    part: StreamPart
    commit_ends: tuple[int, ...]


@dataclass(frozen=True)
class WrittenRecords:
    """What was written to move a head: from where it was, to all that a snapshot sees."""

    head: StreamHead
    seen: str
    system_time: datetime
    parts: tuple[WrittenPart, ...]

    @property
    def next_offset(self) -> int:
        return self.parts[-1].part.end_offset + 1 if self.parts else self.head.next_offset


@dataclass(frozen=True)
class _NextOffset:
    stream: str
    next_offset: int


@dataclass(frozen=True)
class _SnapshotTime:
    """A snapshot of the transaction, and the time, in milliseconds."""

    seen: str
    at: datetime


@dataclass(frozen=True)
class _StayingHead:
    """A stream that is on, and whose head has not moved for long."""

    name: str
    published: str | None


def head(connection: Connection, stream: str) -> StreamHead | None:
    """None if the stream was never published."""
    return row_or_none(connection, StreamHead, "streams/head", {"stream": stream})


def position(connection: Connection, stream: str) -> StreamPosition:
    """What a listener looks at again and again."""
    return one_row(connection, StreamPosition, "streams/position", {"stream": stream})


def next_offsets(connection: Connection) -> dict[str, int]:
    """Behind the last record of each stream that has records."""
    return {one.stream: one.next_offset for one in every_row(connection, _NextOffset, "streams/next_offsets")}


def parts(connection: Connection, stream: str) -> list[PublishedPart]:
    """All of a stream, in the order of offsets."""
    return every_row(connection, PublishedPart, "streams/parts", {"stream": stream})


def snapshot(connection: Connection) -> tuple[str, datetime]:
    """What the transaction sees, and the time."""
    found = one_row(connection, _SnapshotTime, "streams/snapshot")
    return found.seen, found.at


def begin(connection: Connection, lease: Lease, stream: DeclaredStream, started: StartedStream) -> None:
    """Makes the head of a stream, or has it begin anew where its snapshot means nothing for this start or schema."""
    with connection.transaction():
        fence(connection, lease)
        parameters = {
            "stream": stream.name,
            "started_xid": started.started_xid,
            "epoch": lease.epoch,
        }
        changes.forget_foreign(connection, stream)
        execute(connection, "streams/begin_head", parameters)


def is_settled(connection: Connection, stream: DeclaredStream, found: StreamHead) -> bool:
    """Whether what is there may be read: every transaction has ended that may have missed the start of the stream. Raw
    events that were published before must also have the arrival numbers that they keep.
    """
    with connection.transaction():
        if stream.is_log and found.next_offset:
            renumbered = one_value(connection, bool, "streams/is_renumbered", {"nothing": changes.SEES_NOTHING})
            if not renumbered:
                return False
        return one_value(connection, bool, "streams/is_settled", {"waits_for": found.waits_for})


def unpublished_streams(connection: Connection) -> list[str]:
    """The streams that are on, and have changes, or all of their table, to publish since more than a day."""
    return [
        one.name
        for one in every_row(connection, _StayingHead, "streams/not_moved")
        if one.published is None or changes.has_changes(connection, stream_named(one.name), one.published)
    ]


def move(
    connection: Connection, lease: Lease, written: WrittenRecords, note: Callable[[StreamHead], None] | None = None
) -> None:
    """Takes what was written into the stream, in one transaction.

    note: is called with where the head was, when nothing but the end of the transaction is left to be done, and no one
    else can hold the lease. If it fails, nothing has moved.

    Raises LeaseLost if another publisher holds the lease, and TryAgain if the head has moved since.
    """
    with connection.transaction():
        fence(connection, lease)
        found = written.head
        moved = execute(
            connection,
            "streams/move_head",
            {
                "stream": found.stream,
                "started_xid": found.started_xid,
                "schema_id": found.schema_id,
                "start_offset": found.next_offset,
                "published": found.published,
                "next_offset": written.next_offset,
                "seen": written.seen,
                "system_time": written.system_time if written.parts else None,
                "epoch": lease.epoch,
            },
        )
        if not moved:
            raise TryAgain(f"The head of the stream {found.stream} has moved meanwhile; nothing was published")
        for one in written.parts:
            add_part(connection, lease, one)
        if note is not None and written.parts:
            note(found)


def add_part(connection: Connection, lease: Lease, written: WrittenPart) -> None:
    """Takes a file into its stream. Raises TryAgain if it is being deleted (`stream_files`)."""
    part = written.part
    path = f"{part.stream}/{HISTORY}/{part.name}"
    stream_files.reclaim(connection, [path])
    execute(
        connection,
        "streams/add_part",
        {
            "stream": part.stream,
            "start_offset": part.start_offset,
            "end_offset": part.end_offset,
            "schema_id": part.schema_id,
            "path": path,
            "bytes": part.bytes,
            "physical_hash": part.physical_hash,
            "logical_hash": part.logical_hash,
            "commit_ends": list(written.commit_ends),
            "epoch": lease.epoch,
        },
    )
