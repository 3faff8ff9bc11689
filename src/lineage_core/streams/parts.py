"""The parts of a stream, read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lineage_core.changelog.parts import read_part
from lineage_core.files import FileFolder
from lineage_core.model.streams import ChangelogStream
from lineage_core.streams.arrow_records import lines_of_records
from lineage_core.streams.store.heads import HISTORY, PublishedPart


def stream_folder(root: FileFolder, stream: str) -> FileFolder:
    """Where the parts of a stream are."""
    return root.below(f"{stream}/{HISTORY}")


def published_lines(stream: ChangelogStream, root: FileFolder, parts: Sequence[PublishedPart]) -> Iterator[bytes]:
    """All records of the parts, as lines of CSV: operation, event time and columns."""
    for part in parts:
        yield lines_of_records(stream, read_part(stream_folder(root, stream.name), part.file(stream.name)))
