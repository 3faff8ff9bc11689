"""What compaction changes of a stream: which files it consists of, and its checkpoint. Its records stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lineage_core.changelog.parts import CheckpointFile
from lineage_core.errors import TryAgain
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.typed_rows import every_row, execute, row_or_none
from lineage_core.streams.store import stream_files
from lineage_core.streams.store.heads import PublishedPart, WrittenPart, add_part

CHECKPOINT = "checkpoint"
"""The folder of a stream's checkpoints, in a folder of its name."""


@dataclass(frozen=True)
class StreamCheckpoint:
    """The rows that a stream says are there, before the record `next_offset`."""

    next_offset: int
    schema_id: int
    path: str
    """Below the root of all streams."""
    rows: int
    bytes: int
    physical_hash: str
    is_ordered: bool
    """Whether the rows are in the order of the key, or of all columns where there is none."""
    reordered_by: int | None
    """The last stream schema by which rows were no longer in that order; None if there never was one."""

    def file(self, stream: str) -> CheckpointFile:
        """The checkpoint as its file is known."""
        name = self.path.rpartition("/")[2]
        return CheckpointFile(name, stream, self.schema_id, self.next_offset, self.rows, self.bytes, self.physical_hash)


@dataclass(frozen=True)
class WrittenCheckpoint:
    """A checkpoint whose file is written, and that no stream has yet."""

    file: CheckpointFile
    is_ordered: bool
    reordered_by: int | None


@dataclass(frozen=True)
class FragmentedStream:
    """A stream of very many small parts."""

    name: str
    small_parts: int


@dataclass(frozen=True)
class _PublishedFrom:
    name: str
    is_here: bool


def checkpoint(connection: Connection, stream: str) -> StreamCheckpoint | None:
    """The last one; None if there is none."""
    return row_or_none(connection, StreamCheckpoint, "streams/checkpoint", {"stream": stream})


def published_streams(connection: Connection) -> dict[str, bool]:
    """The streams that have been published, and whether that was from this cluster, last."""
    return {one.name: one.is_here for one in every_row(connection, _PublishedFrom, "streams/published_from")}


def fragmented_streams(connection: Connection, small: int, many: int) -> list[FragmentedStream]:
    """The streams with at least so many parts of fewer bytes."""
    return every_row(connection, FragmentedStream, "streams/fragmented", {"small": small, "many": many})


def swap_parts(
    connection: Connection, lease: Lease, stream: str, merged: Sequence[PublishedPart], into: WrittenPart
) -> None:
    """Puts one part in the place of several, in one transaction.

    Raises LeaseLost if another run holds the lease, and TryAgain if one of them is in the stream no more.
    """
    with connection.transaction():
        fence(connection, lease)
        paths = [part.path for part in merged]
        removed = execute(connection, "streams/remove_parts", {"stream": stream, "paths": paths})
        if removed != len(paths):
            raise TryAgain(f"The parts of the stream {stream} have changed meanwhile; they stay as they are")
        add_part(connection, lease, into)


def replace_checkpoint(
    connection: Connection, lease: Lease, stream: str, old: StreamCheckpoint | None, new: WrittenCheckpoint
) -> None:
    """Puts one checkpoint in the place of another. Raises LeaseLost, and TryAgain if the other is no longer there."""
    with connection.transaction():
        fence(connection, lease)
        if old is not None:
            execute(connection, "streams/remove_checkpoint", {"stream": stream, "path": old.path})
        path = f"{stream}/{CHECKPOINT}/{new.file.name}"
        stream_files.reclaim(connection, [path])
        added = execute(
            connection,
            "streams/add_checkpoint",
            {
                "stream": stream,
                "next_offset": new.file.next_offset,
                "schema_id": new.file.schema_id,
                "path": path,
                "rows": new.file.rows,
                "bytes": new.file.bytes,
                "physical_hash": new.file.physical_hash,
                "is_ordered": new.is_ordered,
                "reordered_by": new.reordered_by,
                "epoch": lease.epoch,
            },
        )
        if not added:
            raise TryAgain(f"The stream {stream} has got another checkpoint meanwhile; it stays")
