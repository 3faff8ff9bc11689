"""Stream parts: immutable Parquet files, each with the records of some offsets in a row.

The bytes of a part follow from its records and from the version of pyarrow; its name has the digest of the bytes. So a
part that is written twice is one file, and a part that is there is never written again.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lineage_core import files
from lineage_core.changelog.layout import Layout
from lineage_core.changelog.logical_hash import logical_hash
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.files import FileFolder


def readable(data: bytes) -> pa.BufferReader:
    """A copy of the bytes, to be read by Arrow."""
    buffer = pa.allocate_buffer(len(data))
    pa.FixedSizeBufferWriter(buffer).write(data)
    return pa.BufferReader(buffer)


ROWS_OF_A_GROUP = 1 << 17

FIELD_ID = b"PARQUET:field_id"
SYSTEM_COLUMN_IDS = range(2_000_000_000, 2_000_000_004)
"""Of the system columns, in their order: above all ids that data columns may have."""

_NAME = re.compile(r"(\d{20})-(\d{20})-s(\d+)-([0-9a-f]{16})\.parquet")
SHOWN_DIGEST = 16
"""Digits of a digest that a name has."""
_NOT_PUBLISHED = "Nothing was published. Write the part again, then append it"
_NOTHING_READ = "Nothing of it was read. Bring back the file that was written, then run again"


@dataclass(frozen=True)
class StreamPart:
    """A part that is written: which records it has, and how to tell that it is still the same."""

    name: str
    stream: str
    schema_id: int
    start_offset: int
    end_offset: int
    """Of the last record, as in ODF: the interval is closed."""
    bytes: int
    physical_hash: str
    """SHA-256 of the file, in hexadecimal."""
    logical_hash: str

    @property
    def rows(self) -> int:
        return self.end_offset - self.start_offset + 1


class WrittenParts(Layout):
    """Parts of slices."""

    def write_part(self, folder: FileFolder, stream: str, schema_id: int, records: pa.Table) -> StreamPart:
        """Writes records as a part of a stream, if it is not there already.

        `records` has the system columns and the data columns, in the order of the offsets. Data columns keep the ids
        that their fields have as metadata `PARQUET:field_id`; a column without one gets its place, from 1 on.

        Raises WrongUsage if there are no records, or `slice_of` refuses them; BrokenStream if the part would split a
        pair of corrections; NeedsOperator if its file is there, but damaged; TryAgain if the files cannot be used now.
        """
        table = self.slice_of(records)
        self.refuse_split_pairs(table)
        if not table.num_rows:
            raise WrongUsage(
                f"A part of the stream {stream} needs at least one record; commit the slice without a part"
            )
        offsets = table.column(self.vocabulary.offset)
        start, end = offsets[0].as_py(), offsets[-1].as_py()
        logical = logical_hash(table)
        data = self._parquet(_described(table, stream, schema_id, logical))
        physical = hashlib.sha256(data).hexdigest()
        name = f"{start:020d}-{end:020d}-s{schema_id}-{physical[:SHOWN_DIGEST]}.parquet"
        with files.failures_explained(f"The stream {stream} in {folder}", "Nothing was published"):
            files.put_content(folder.file(name), data)
        return StreamPart(name, stream, schema_id, start, end, len(data), physical, logical)

    def _parquet(self, table: pa.Table) -> bytes:
        leaves = _leaves(table.schema)
        options: dict[str, Any] = {
            "compression": "zstd",
            "use_dictionary": [leaf for leaf in leaves if leaf != self.vocabulary.offset],
            "column_encoding": {self.vocabulary.offset: "DELTA_BINARY_PACKED"},
            "row_group_size": ROWS_OF_A_GROUP,
        }
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, **options)
        return bytes(sink.getvalue().to_pybytes())


def read_part(folder: FileFolder, part: StreamPart) -> pa.Table:
    """The records of a part, as they were written.

    Raises NeedsOperator if the file is missing, or is not, byte for byte, what was written; TryAgain if files cannot be
    used now.
    """
    data = checked_content(folder, part.name, part.stream, part.bytes, part.physical_hash)
    return pq.read_table(readable(data))


def checked_content(folder: FileFolder, name: str, stream: str, size: int, physical_hash: str) -> bytes:
    """What is in a file of a stream. Raises as `read_part` does."""
    url = folder.file(name)
    with files.failures_explained(f"The stream {stream} in {folder}", "Nothing was read"):
        data = files.content(url)
    if data is None:
        raise files.damaged(url, "it is not there", _NOTHING_READ)
    if len(data) != size:
        raise files.damaged(url, f"it has {len(data)} bytes, and {size} were written", _NOTHING_READ)
    if hashlib.sha256(data).hexdigest() != physical_hash:
        raise files.damaged(url, "its bytes are not those that were written", _NOTHING_READ)
    return data


def looked_at(folder: FileFolder, part: StreamPart) -> pa.Schema:
    """The schema of a part whose file is there, has its size, and says of itself what the part says.

    Only the end of the file is read. Raises WrongUsage if it is not there, and NeedsOperator if it is damaged or
    another one; TryAgain if the files cannot be used now.
    """
    url = folder.file(part.name)
    with files.failures_explained(f"The stream {part.stream} in {folder}", "Nothing was published"):
        try:
            with files.opened(url) as stream:
                size = stream.seek(0, os.SEEK_END)
                if size != part.bytes:
                    raise files.damaged(url, f"it has {size} bytes, and {part.bytes} were written", _NOT_PUBLISHED)
                schema = pq.ParquetFile(stream).schema_arrow
        except FileNotFoundError:
            raise WrongUsage(f"{part.name} is not in {folder}: write it there by `write_part`") from None
        except pa.ArrowInvalid as error:
            raise files.damaged(url, f"it is no Parquet file: {error}", _NOT_PUBLISHED) from error
    found = {key.decode(): value.decode() for key, value in (schema.metadata or {}).items()}
    for name, value in _described_by(part).items():
        if found.get(name) != value:
            raise files.damaged(url, f"its {name} is {found.get(name)}, and not {value}", _NOT_PUBLISHED)
    return schema.remove_metadata()


def _described_by(part: StreamPart) -> dict[str, str]:
    """What its file says of a part."""
    return {
        "stream": part.stream,
        "schema_id": str(part.schema_id),
        "first_offset": str(part.start_offset),
        "last_offset": str(part.end_offset),
        "logical_hash": part.logical_hash,
    }


def described_part(folder: FileFolder, name: str) -> StreamPart:
    """What a file says of itself: for people who have the files, but not the store's list of them.

    Raises WrongUsage if the name is none of a part, and NeedsOperator if the file is missing or contradicts its name.
    """
    named = _NAME.fullmatch(name)
    if named is None:
        raise WrongUsage(
            f"{name} is no stream part: its name is <first offset>-<last offset>-s<schema>-<digest>.parquet"
        )
    url = folder.file(name)
    with files.failures_explained(f"The stream in {folder}", "Nothing was read"):
        data = files.content(url)
    if data is None:
        raise files.damaged(url, "it is not there", _NOTHING_READ)
    physical = hashlib.sha256(data).hexdigest()
    if physical[:SHOWN_DIGEST] != named[4]:
        raise files.damaged(url, "its bytes are not those that its name says", _NOTHING_READ)
    footer = _footer(data, url)
    start, end, schema_id = (int(one) for one in named.groups()[:3])
    return StreamPart(name, footer["stream"], schema_id, start, end, len(data), physical, footer["logical_hash"])


def _footer(data: bytes, url: str) -> dict[str, str]:
    try:
        metadata = pq.read_metadata(readable(data)).metadata or {}
        return {key: metadata[key.encode()].decode() for key in ("stream", "logical_hash")}
    except (pa.ArrowInvalid, KeyError) as error:
        raise NeedsOperator(f"{url} is no stream part: {error}") from error


def _described(table: pa.Table, stream: str, schema_id: int, logical: str) -> pa.Table:
    """With column ids, and with what a reader of the file alone may want to know."""
    system = [
        field.with_metadata({FIELD_ID: str(id_)}) for field, id_ in zip(table.schema, SYSTEM_COLUMN_IDS, strict=False)
    ]
    data = [_with_id(field, place) for place, field in enumerate([*table.schema][len(system) :], 1)]
    offsets = table.column(0)
    metadata = {
        "stream": stream,
        "schema_id": str(schema_id),
        "first_offset": str(offsets[0]),
        "last_offset": str(offsets[-1]),
        "logical_hash": logical,
    }
    return pa.Table.from_arrays(table.columns, schema=pa.schema([*system, *data], metadata=metadata))


def _with_id(field: pa.Field, place: int) -> pa.Field:
    return field if FIELD_ID in (field.metadata or {}) else field.with_metadata({FIELD_ID: str(place)})


def _leaves(schema: pa.Schema) -> list[str]:
    """The paths of Parquet's columns, which a nested column has several of."""
    sink = pa.BufferOutputStream()
    pq.write_table(schema.empty_table(), sink)
    found = pq.ParquetFile(pa.BufferReader(sink.getvalue())).schema
    return [found.column(place).path for place in range(len(found))]


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
