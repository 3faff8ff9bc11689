"""The parts of a stream, read back in one schema, whatever schemas they were written in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from lineage_core.changelog import STANDARD
from lineage_core.changelog.parts import read_part
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.streams.store.heads import HISTORY, PublishedPart


def stream_folder(root: FileFolder, stream: str) -> FileFolder:
    """Where the parts of a stream are."""
    return root.below(f"{stream}/{HISTORY}")


def published_tables(
    stream: str, root: FileFolder, parts: Sequence[PublishedPart], migration: DataMigration
) -> Iterator[pa.Table]:
    """The records of the parts, one after the other, each migrated as it is read.

    Raises NeedsOperator if a file is damaged, or has data that no schema of the stream describes.
    """
    for part in parts:
        records = read_part(stream_folder(root, stream), part.file(stream))
        try:
            yield STANDARD.migrated_records(records, migration)
        except WrongUsage as error:
            raise NeedsOperator(f"{part.path} is not what the schemas of the stream {stream} say. {error}") from error
