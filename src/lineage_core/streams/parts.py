"""The parts of a stream, read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from lineage_core.changelog.parts import read_part
from lineage_core.files import FileFolder
from lineage_core.model.streams import DeclaredStream
from lineage_core.streams.arrow_records import lines_of_records
from lineage_core.streams.store.heads import HISTORY, PublishedPart


def stream_folder(root: FileFolder, stream: str) -> FileFolder:
    """Where the parts of a stream are."""
    return root.below(f"{stream}/{HISTORY}")


def published_tables(stream: DeclaredStream, root: FileFolder, parts: Sequence[PublishedPart]) -> Iterator[pa.Table]:
    """The records of the parts, one after the other. Raises NeedsOperator if a file is damaged."""
    for part in parts:
        yield read_part(stream_folder(root, stream.name), part.file(stream.name))


def published_lines(stream: DeclaredStream, root: FileFolder, parts: Sequence[PublishedPart]) -> Iterator[bytes]:
    """All records of the parts, as lines of CSV: operation, event time and columns."""
    for records in published_tables(stream, root, parts):
        yield lines_of_records(stream, records)
