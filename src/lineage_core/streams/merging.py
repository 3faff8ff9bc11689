"""Several parts of a stream become one: the same records, in the schema that was the latest when that was asked for."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from lineage_core.changelog import write_part
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.streams.parts import published_tables, stream_folder
from lineage_core.streams.store.heads import PublishedPart, WrittenPart


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
