"""The parts of a stream: read back in one schema, whatever schema each was written in, and merged into one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pyarrow as pa

from lineage_core.changelog import STANDARD, write_part
from lineage_core.changelog.parts import read_part
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.streams.store.heads import HISTORY, PublishedPart, WrittenPart


def stream_folder(root: FileFolder, stream: str) -> FileFolder:
    """Where the parts of a stream are."""
    return root.below(f"{stream}/{HISTORY}")


BytesRead = Callable[[int], object]
"""Called with the size of each file once it is read, for a word on how far a long read is."""


def unnoticed(_size: int) -> None:
    """Where that is of no interest."""


ReadProgress = Callable[[int, int], object]
"""Called with how many bytes of files are read, and of how many."""


def unseen(_done: int, _total: int) -> None:
    """Where no one looks how far the work is."""


class ReadBytes:
    """Counts what is read, and tells it."""

    def __init__(self, progress: ReadProgress, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def __call__(self, size: int) -> None:
        self._done += size
        self._progress(self._done, max(self._total, self._done))


def published_tables(
    stream: str,
    root: FileFolder,
    parts: Sequence[PublishedPart],
    migration: DataMigration,
    was_read: BytesRead = unnoticed,
) -> Iterator[pa.Table]:
    """The records of the parts, one after the other, each migrated as it is read.

    Raises NeedsOperator if a file is damaged, or has data that no schema of the stream describes.
    """
    for part in parts:
        records = read_part(stream_folder(root, stream), part.file(stream))
        was_read(part.bytes)
        try:
            yield STANDARD.migrated_records(records, migration)
        except WrongUsage as error:
            raise NeedsOperator(f"{part.path} is not what the schemas of the stream {stream} say. {error}") from error


@dataclass(frozen=True)
class MergedParts:
    """A part that is written, and those in whose place it may stand."""

    stream: str
    parts: tuple[PublishedPart, ...]
    into: WrittenPart


@dataclass(frozen=True)
class MergeTask:
    """Writes parts that lie side by side as one. It changes nothing else.

    schema_id, migration: the stream schema to write, and what takes records of any older one to it.
    """

    root: str
    stream: str
    schema_id: int
    migration: DataMigration
    parts: tuple[PublishedPart, ...]

    @property
    def bytes(self) -> int:
        """Of the files that are read."""
        return sum(part.bytes for part in self.parts)

    def write(self) -> MergedParts:
        """Memory is that of all records. Raises as `read_part` and `write_part` do."""
        root = FileFolder(self.root)
        records = pa.concat_tables(published_tables(self.stream, root, self.parts, self.migration))
        part = write_part(stream_folder(root, self.stream), self.stream, self.schema_id, records)
        ends = tuple(end for one in self.parts for end in one.commit_ends)
        return MergedParts(self.stream, self.parts, WrittenPart(part, ends))
