"""Checkpoints: the state of a stream at an offset as one immutable Parquet file, named for its digest as parts are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq

from lineage_core import files
from lineage_core.changelog.arrow_memory import readable
from lineage_core.changelog.parts import ROWS_OF_A_GROUP, SHOWN_DIGEST, checked_content
from lineage_core.files import FileFolder


@dataclass(frozen=True)
class CheckpointFile:
    """A checkpoint that is written, and how to tell that it is still the same."""

    name: str
    stream: str
    schema_id: int
    next_offset: int
    """Of the first record that is not in it."""
    rows: int
    bytes: int
    physical_hash: str
    """SHA-256 of the file, in hexadecimal."""


def write_checkpoint(
    folder: FileFolder, stream: str, schema_id: int, next_offset: int, state: pa.Table
) -> CheckpointFile:
    """Writes the state that the records below an offset make, if it is not there already.

    state: event time and data columns, as `replay` gives them. Raises NeedsOperator if the file is there, but damaged;
    TryAgain if the files cannot be used now.
    """
    metadata = {"stream": stream, "schema_id": str(schema_id), "next_offset": str(next_offset)}
    sink = pa.BufferOutputStream()
    pq.write_table(state.replace_schema_metadata(metadata), sink, compression="zstd", row_group_size=ROWS_OF_A_GROUP)
    data = bytes(sink.getvalue().to_pybytes())
    physical = hashlib.sha256(data).hexdigest()
    name = f"{next_offset:020d}-s{schema_id}-{physical[:SHOWN_DIGEST]}.parquet"
    with files.failures_explained(f"The stream {stream} in {folder}", "No checkpoint was made"):
        files.put_content(folder.file(name), data)
    return CheckpointFile(name, stream, schema_id, next_offset, state.num_rows, len(data), physical)


def read_checkpoint(folder: FileFolder, checkpoint: CheckpointFile) -> pa.Table:
    """The state that was written.

    Raises NeedsOperator if the file is missing, or is not, byte for byte, what was written; TryAgain if files cannot be
    used now.
    """
    data = checked_content(folder, checkpoint.name, checkpoint.stream, checkpoint.bytes, checkpoint.physical_hash)
    return pq.read_table(readable(data))
