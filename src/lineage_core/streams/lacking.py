"""Whether the files that a stream consists of, as the database says, are below a root."""

from __future__ import annotations

from lineage_core.errors import NeedsOperator
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.streams.checkpointing import files_of_stream
from lineage_core.streams.store import stream_files


def lacking_files(connection: Connection, root: str, stream: str) -> list[str]:
    """The paths of those that are not there. Whether they are whole is not looked at.

    Outside of a transaction, or in one that sees what others commit: a compaction may replace files meanwhile. Raises
    TryAgain if the files cannot be used now.
    """
    listed = stream_files.catalog_files(connection, stream)
    there = set(files_of_stream(FileFolder(root), stream)) if listed else set[str]()
    if there.issuperset(listed):
        return []
    still = set(stream_files.catalog_files(connection, stream))
    return [path for path in listed if path in still and path not in there]


def refuse_without_files(connection: Connection, root: str, stream: str) -> None:
    """Raises NeedsOperator if none of the files of a stream is there: the root was moved without them. Of single files
    whoever reads them tells.
    """
    gone = lacking_files(connection, root, stream)
    if gone and len(gone) == len(stream_files.catalog_files(connection, stream)):
        raise NeedsOperator(
            f"No file of the stream {stream} is below {FileFolder(root)}, and it has {len(gone)}, such as {gone[0]}."
            " Nothing was changed. Bring them there, or set LINEAGE_STREAMS_URL to where they are, then run again"
        )
