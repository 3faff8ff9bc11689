"""Files of an event archive: Parquet and JSON below any URL."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import Any
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from lineage_core import files
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.files import FileFolder
from lineage_core.openlineage.instants import FIRST, LAST, instant
from lineage_core.postgres.addresses import redacted
from lineage_core.retention.archive_manifest import ArchiveManifest, ArchivePart, read, written

MANIFEST = "manifest.json"

_ROWS_AT_ONCE = 2_000
_BYTES_AT_ONCE = 8 << 20
"""Of one row group. A larger event is one of its own."""

_BLOCK = 1 << 20

_TIME = pa.timestamp("us", tz="UTC")
_SCHEMA = pa.schema(
    [
        pa.field("event_time", _TIME, nullable=False),
        pa.field("event", pa.string(), nullable=False),
        ("event_type", pa.string()),
        ("job_name", pa.string()),
        ("job_namespace", pa.string()),
        ("producer", pa.string()),
        ("run_uuid", pa.string()),
        ("created_at", _TIME),
        ("_event_type", pa.string()),
        ("event_bytes", pa.int32()),
        ("is_ahead", pa.bool_()),
        pa.field("arrived_xid", pa.int64(), nullable=False),
        pa.field("arrival_seq", pa.int64(), nullable=False),
        ("is_moved", pa.bool_()),
    ]
)
COLUMNS = tuple(_SCHEMA.names)
_TIMES = ("event_time", "created_at")
_SUMMARIZED = [field.name for field in _SCHEMA if field.name != "event"]
"""Of the texts there is neither a dictionary nor a least and a greatest: each would be a copy of the largest."""


_UNFIT = {
    "memory": "what it has is gone with the process",
    **dict.fromkeys(
        ("http", "https", "data", "github", "git", "zip", "tar", "reference"), "nothing can be written there"
    ),
}
"""Schemes of URLs that cannot keep an archive, and why."""


def refuse_unfit(url: str) -> None:
    """Raises WrongUsage for a URL below which no archive can be kept."""
    scheme, has_scheme, rest = url.partition("://")
    why = _UNFIT.get(scheme.lower()) if has_scheme else None
    if "::" in scheme:
        why = "it is a chain of file systems"
    if has_scheme and {"?", "#"} & {*rest}:
        why = "it has a query or a fragment"
    if why is not None:
        raise WrongUsage(
            f"Raw events cannot be archived below {redacted(url)}: {why}. Nothing was deleted; name a folder, or a URL"
            " such as s3://bucket/folder"
        )


def write_part(folder: FileFolder, number: int, events: Iterable[tuple[bytes, dict[str, Any]]]) -> ArchivePart | None:
    """Writes a part under a name of its own, as each attempt at it does; None if there are no events."""
    groups = _groups(events)
    first_group = next(groups, None)
    if first_group is None:
        return None
    name = f"part-{number:05}-{uuid4().hex[:8]}.parquet"
    with _failures_explained(folder), files.written(folder.file(name)) as stream:
        summed = _SummedStream(stream)
        rows, size, first, last = _write(summed, chain([first_group], groups))
    return ArchivePart(name, rows, size, summed.digest.hexdigest(), instant(first), instant(last))


def part_rows(
    folder: FileFolder, part: ArchivePart, columns: Sequence[str] | None = None
) -> Iterator[list[dict[str, Any]]]:
    """The rows of a part, by row groups, as they were written: times in microseconds, and texts of events as bytes."""
    with _failures_explained(folder, part.path), _opened(folder, part.path) as stream:
        # By this thread alone: no other one may be left with Python's file when the process ends (`arrow_memory`).
        file = pq.ParquetFile(stream, pre_buffer=False)
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, columns=columns, use_threads=False)
            yield table.cast(pa.schema([_as_read(field) for field in table.schema])).to_pylist()


def _as_read(field: Any) -> Any:
    plain = {"event": pa.binary(), **dict.fromkeys(_TIMES, pa.int64())}
    return pa.field(field.name, plain.get(field.name, field.type), field.nullable)


def refuse_damaged(folder: FileFolder, part: ArchivePart) -> None:
    """Raises NeedsOperator if the file of a part is missing, or is not, byte for byte, what its manifest says."""
    digest = hashlib.sha256()
    with _failures_explained(folder, part.path), _opened(folder, part.path) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != part.sha256:
        raise _damaged(folder, part.path, "its bytes are not those that were written")


def refuse_miscounted(folder: FileFolder, part: ArchivePart, rows: int, bytes: int) -> None:
    """Raises NeedsOperator if a part has not what its manifest says."""
    if (rows, bytes) != (part.rows, part.bytes):
        how = f"it has {rows} rows and {bytes} bytes, the manifest {part.rows} and {part.bytes}"
        raise _damaged(folder, part.path, how)


def refuse_mistimed(folder: FileFolder, part: ArchivePart, times: Sequence[int]) -> None:
    """Raises NeedsOperator if the events of a part, of which there is one at least, happened at other times than its
    manifest says; times in microseconds."""
    found = (instant(min(times)), instant(max(times)))
    if found != (part.first_time, part.last_time):
        stated = f"{part.first_time.isoformat()} to {part.last_time.isoformat()}"
        how = f"its events are of {found[0].isoformat()} to {found[1].isoformat()}, the manifest says {stated}"
        raise _damaged(folder, part.path, how)


def is_finished(folder: FileFolder) -> bool:
    """Whether a manifest is there, readable or not."""
    with _failures_explained(folder):
        return MANIFEST in files.files_in(folder)


def manifest_of(folder: FileFolder) -> ArchiveManifest | None:
    """The manifest of a folder; None if it has none: then what is there was never finished."""
    with _failures_explained(folder):
        text = files.content(folder.file(MANIFEST))
    return None if text is None else read(text, redacted(folder.file(MANIFEST)))


def manifest_name(folder: FileFolder) -> str:
    """Without the place where the archive is, which is another for a copy of it."""
    return "/".join([*folder.url.replace("\\", "/").rstrip("/").split("/")[-2:], MANIFEST])


def named_manifest(url: str) -> tuple[FileFolder, ArchiveManifest]:
    """A manifest by its own address, and its folder. Raises WrongUsage if there is none."""
    folder, slash, name = url.replace("\\", "/").rpartition("/") if "://" not in url else url.rpartition("/")
    archived = FileFolder(folder if slash else ".")
    if name != MANIFEST:
        raise WrongUsage(f"{redacted(url)} is no manifest of an event archive: its name is {MANIFEST}")
    manifest = manifest_of(archived)
    if manifest is None:
        raise WrongUsage(f"There is no {redacted(url)}")
    return archived, manifest


def write_manifest(folder: FileFolder, manifest: ArchiveManifest) -> None:
    """All at once: it is written under another name, and renamed."""
    with _failures_explained(folder):
        files.replace(folder.file(MANIFEST), written(manifest))


def folders_in(folder: FileFolder) -> list[str]:
    """The names of the folders in a folder, in order; none if it is not there."""
    with _failures_explained(folder):
        return files.folders_in(folder)


def forget_unfinished(folder: FileFolder) -> None:
    """Removes what a killed run has left in a folder that has no manifest."""
    with _failures_explained(folder):
        files.remove(folder)


class _SummedStream:
    """A file that is written, and the digest of what is."""

    def __init__(self, stream: Any) -> None:
        self.digest = hashlib.sha256()
        self._stream = stream

    def write(self, block: Any) -> int:
        self.digest.update(block)
        return int(self._stream.write(block))

    def flush(self) -> None:
        self._stream.flush()

    @property
    def closed(self) -> bool:
        return bool(self._stream.closed)


def _write(stream: _SummedStream, groups: Iterable[list[dict[str, Any]]]) -> tuple[int, int, int, int]:
    """How many rows and bytes of text were written, and their first and last time."""
    rows = size = 0
    first, last = LAST, FIRST
    options = {"compression": "zstd", "use_dictionary": _SUMMARIZED, "write_statistics": _SUMMARIZED}
    with pq.ParquetWriter(pa.PythonFile(stream, mode="w"), _SCHEMA, **options) as writer:
        for group in groups:
            arrays = [pa.array([row[field.name] for row in group], type=field.type) for field in _SCHEMA]
            writer.write_table(pa.Table.from_arrays(arrays, schema=_SCHEMA))
            rows += len(group)
            size += sum(row["event_bytes"] for row in group)
            first = min(first, *(row["event_time"] for row in group))
            last = max(last, *(row["event_time"] for row in group))
    return rows, size, first, last


def _groups(events: Iterable[tuple[bytes, dict[str, Any]]]) -> Iterator[list[dict[str, Any]]]:
    rows, size = list[dict[str, Any]](), 0
    for text, columns in events:
        if rows and (len(rows) == _ROWS_AT_ONCE or size + len(text) > _BYTES_AT_ONCE):
            yield rows
            rows, size = [], 0
        rows.append(columns | {"event": text})
        size += len(text)
    if rows:
        yield rows


@contextmanager
def _opened(folder: FileFolder, name: str) -> Iterator[Any]:
    try:
        with files.opened(folder.file(name)) as stream:
            yield stream
    except FileNotFoundError as error:
        raise _damaged(folder, name, "it is not there") from error


@contextmanager
def _failures_explained(folder: FileFolder, name: str | None = None) -> Iterator[None]:
    """Failures of files as our own errors."""
    try:
        with files.failures_explained(f"The event archive {folder}", "Nothing that is not archived was deleted"):
            yield
    except pa.ArrowInvalid as error:
        raise _damaged(folder, name or "a part", str(error)) from error


def _damaged(folder: FileFolder, name: str, how: str) -> NeedsOperator:
    what_to_do = "Nothing of it was deleted or restored. Bring back the file that was written, then run again"
    return files.damaged(folder.file(name), how, what_to_do)
