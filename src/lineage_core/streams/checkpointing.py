"""Checkpoints of a stream: when one is due, how it is made, and how a replay begins at one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from lineage_core import files
from lineage_core.changelog import STANDARD
from lineage_core.changelog.layout import OPERATION
from lineage_core.changelog.operations import Operation
from lineage_core.changelog.parts import read_checkpoint, write_checkpoint
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.declare.streams import SYSTEM_COLUMNS, DeclaredStream
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.streams.arrow_records import lines_of_records
from lineage_core.streams.parts import BytesRead, published_tables, stream_folder, unnoticed
from lineage_core.streams.replay import replayed
from lineage_core.streams.store.compacted import CHECKPOINT, StreamCheckpoint, WrittenCheckpoint
from lineage_core.streams.store.heads import HISTORY, PublishedPart
from lineage_core.streams.store.switches import stream_named

_, _OPERATION, _, _ = SYSTEM_COLUMNS

LATER_SHARE = 0.1
"""A checkpoint is made when there are as many later records as this share of the rows of the last one."""


@dataclass(frozen=True)
class MadeCheckpoint:
    """A checkpoint that is written, and the one in whose place it may stand."""

    stream: str
    old: StreamCheckpoint | None
    new: WrittenCheckpoint


@dataclass(frozen=True)
class CheckpointTask:
    """Writes a checkpoint of a stream. It changes nothing else.

    old: where the replay begins; None at the first record. parts: those with later records. sorts: whether rows are put
    in order; if not, the old checkpoint is migrated as it is, and no record is applied.
    """

    root: str
    stream: str
    schema_id: int
    migration: DataMigration
    old: StreamCheckpoint | None
    parts: tuple[PublishedPart, ...]
    order: tuple[str, ...]
    sorts: bool

    @property
    def bytes(self) -> int:
        """Of the files that are read."""
        return sum(part.bytes for part in self.parts) + (self.old.bytes if self.old else 0)

    def write(self) -> MadeCheckpoint:
        """Memory is that of the state, three times. Raises BrokenStream if the records do not follow from it."""
        root = FileFolder(self.root)
        state = state_after(stream_named(self.stream), root, self.parts, self.migration, self.old)
        if self.sorts:
            state = state.sort_by([(name, "ascending") for name in self.order])
        next_offset = self.parts[-1].end_offset + 1 if self.parts else _begins(self.old)
        file = write_checkpoint(checkpoint_folder(root, self.stream), self.stream, self.schema_id, next_offset, state)
        return MadeCheckpoint(self.stream, self.old, WrittenCheckpoint(file, self.sorts, self._reordered_by()))

    def _reordered_by(self) -> int | None:
        if not self.sorts:
            return self.schema_id
        return self.old.reordered_by if self.old else None


def due_checkpoint(
    root: str,
    stream: DeclaredStream,
    schemas: StreamSchemas,
    parts: Sequence[PublishedPart],
    last: StreamCheckpoint | None,
) -> CheckpointTask | None:
    """What is to be done for the checkpoint of a stream; None if nothing is, or if it is a log: nothing of that is ever
    retracted, so its state is all its records.

    Where a schema change breaks the order of rows, the checkpoint is migrated and tagged as unordered. The next run
    puts it in order.
    """
    later = parts_since(parts, last)
    if stream.is_log:
        return None
    breaks_order = last is not None and not _keeps_order(stream, schemas, last)
    if not (breaks_order or _is_due(last, later)):
        return None
    return CheckpointTask(
        root,
        stream.name,
        schemas.latest_id or 0,
        schemas.to_latest(),
        last,
        () if breaks_order else tuple(later),
        row_order(stream, schemas.latest.current()),
        sorts=not breaks_order,
    )


def row_order(stream: DeclaredStream, schema: pa.Schema) -> tuple[str, ...]:
    """The columns by which a checkpoint is sorted: the key, or all that have an order."""
    return stream.key or tuple(field.name for field in schema if not pa.types.is_nested(field.type))


def checkpoint_folder(root: FileFolder, stream: str) -> FileFolder:
    """Where the checkpoints of a stream are."""
    return root.below(f"{stream}/{CHECKPOINT}")


def files_of_stream(root: FileFolder, stream: str) -> list[str]:
    """The paths of all files in the folders of a stream, below the root of all streams."""
    folders = {HISTORY: stream_folder(root, stream), CHECKPOINT: checkpoint_folder(root, stream)}
    with files.failures_explained(f"The stream {stream} in {root}", "Nothing was read"):
        return [f"{stream}/{name}/{file}" for name, folder in folders.items() for file in files.files_in(folder)]


def state_after(
    stream: DeclaredStream,
    root: FileFolder,
    parts: Sequence[PublishedPart],
    migration: DataMigration,
    since: StreamCheckpoint | None,
    was_read: BytesRead = unnoticed,
) -> pa.Table:
    """The rows that are there after the records of the parts.

    since: the checkpoint at which the replay begins, None at the first record. Raises as `replayed` does, and
    NeedsOperator if a file is damaged.
    """
    state = None if since is None else _rows_of(stream.name, root, since, migration, was_read)
    return replayed(stream, records_since(stream.name, root, parts, migration, since, was_read), state)


def records_since(
    stream: str,
    root: FileFolder,
    parts: Sequence[PublishedPart],
    migration: DataMigration,
    since: StreamCheckpoint | None,
    was_read: BytesRead = unnoticed,
) -> Iterator[pa.Table]:
    """The records of the parts that are not in a checkpoint. A part may begin before it, as parts are merged."""
    begin = _begins(since)
    later = parts_since(parts, since)
    for part, records in zip(later, published_tables(stream, root, later, migration, was_read), strict=True):
        yield records.slice(max(begin - part.start_offset, 0))


def lines_since(
    stream: DeclaredStream,
    root: FileFolder,
    parts: Sequence[PublishedPart],
    migration: DataMigration,
    since: StreamCheckpoint | None,
    was_read: BytesRead = unnoticed,
) -> Iterator[bytes]:
    """The rows of a checkpoint, as if they were appended, and the records behind it, as lines of CSV."""
    if since is not None:
        rows = _rows_of(stream.name, root, since, migration, was_read)
        appended = pa.repeat(pa.scalar(int(Operation.APPEND), OPERATION), len(rows))
        yield lines_of_records(stream, rows.append_column(_OPERATION, appended))
    for records in records_since(stream.name, root, parts, migration, since, was_read):
        yield lines_of_records(stream, records)


def parts_since(parts: Sequence[PublishedPart], since: StreamCheckpoint | None) -> list[PublishedPart]:
    """Those that have records which the checkpoint has not."""
    begin = _begins(since)
    return [part for part in parts if part.end_offset >= begin]


def _rows_of(
    stream: str, root: FileFolder, checkpoint: StreamCheckpoint, migration: DataMigration, was_read: BytesRead
) -> pa.Table:
    rows = read_checkpoint(checkpoint_folder(root, stream), checkpoint.file(stream))
    was_read(checkpoint.bytes)
    return STANDARD.migrated_records(rows, migration)


def _begins(since: StreamCheckpoint | None) -> int:
    return since.next_offset if since else 0


def _is_due(last: StreamCheckpoint | None, later: Sequence[PublishedPart]) -> bool:
    if last is None:
        return bool(later)
    if not last.is_ordered:
        return True
    records = later[-1].end_offset + 1 - last.next_offset if later else 0
    return records > LATER_SHARE * last.rows


def _keeps_order(stream: DeclaredStream, schemas: StreamSchemas, last: StreamCheckpoint) -> bool:
    """Whether its rows, if they are in order, are so in the latest schema."""
    if not last.is_ordered or last.schema_id == schemas.latest_id:
        return True
    sorted_as = schemas.schema(last.schema_id)
    return schemas.to_latest().keeps_order(sorted_as, row_order(stream, sorted_as))
