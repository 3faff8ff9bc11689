"""Files of an event archive: Parquet and JSON below any URL that fsspec knows. No other module knows either library."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
from fsspec.implementations.local import LocalFileSystem

from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
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
_TIMES = ("event_time", "created_at")
_SUMMARIZED = [field.name for field in _SCHEMA if field.name != "event"]
"""Of the texts there is neither a dictionary nor a least and a greatest: each would be a copy of the largest."""


@dataclass(frozen=True)
class ArchiveFolder:
    """A folder of an event archive, whether it is there or not."""

    url: str

    def below(self, name: str) -> ArchiveFolder:
        return ArchiveFolder(f"{self.url.rstrip('/')}/{name}")

    def file(self, name: str) -> str:
        return f"{self.url.rstrip('/')}/{name}"

    def __str__(self) -> str:
        return redacted(self.url)


def write_part(
    folder: ArchiveFolder, number: int, events: Iterable[tuple[bytes, dict[str, Any]]]
) -> ArchivePart | None:
    """Writes a part under a name of its own, as each attempt at it does; None if there are no events."""
    groups = _groups(events)
    first_group = next(groups, None)
    if first_group is None:
        return None
    name = f"part-{number:05}-{uuid4().hex[:8]}.parquet"
    files, path = _at(folder.file(name))
    with _failures_explained(folder):
        files.makedirs(path.rpartition("/")[0], exist_ok=True)
        with files.open(path, "wb") as stream:
            summed = _SummedStream(stream)
            rows, size, first, last = _write(summed, chain([first_group], groups))
        _settle(files, path)
    return ArchivePart(name, rows, size, summed.digest.hexdigest(), instant(first), instant(last))


def part_rows(
    folder: ArchiveFolder, part: ArchivePart, columns: Sequence[str] | None = None
) -> Iterator[list[dict[str, Any]]]:
    """The rows of a part, by row groups, as they were written: times in microseconds, and texts of events as bytes."""
    with _failures_explained(folder, part.path), _opened(folder, part.path) as stream:
        file = pq.ParquetFile(stream)
        for group in range(file.num_row_groups):
            table = file.read_row_group(group, columns=columns)
            yield table.cast(pa.schema([_as_read(field) for field in table.schema])).to_pylist()


def _as_read(field: Any) -> Any:
    plain = {"event": pa.binary(), **dict.fromkeys(_TIMES, pa.int64())}
    return pa.field(field.name, plain.get(field.name, field.type), field.nullable)


def refuse_damaged(folder: ArchiveFolder, part: ArchivePart) -> None:
    """Raises NeedsOperator if the file of a part is missing, or is not, byte for byte, what its manifest says."""
    digest = hashlib.sha256()
    with _failures_explained(folder, part.path), _opened(folder, part.path) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
    if digest.hexdigest() != part.sha256:
        raise NeedsOperator(_damaged(folder, part.path, "its bytes are not those that were written"))


def refuse_miscounted(folder: ArchiveFolder, part: ArchivePart, rows: int, bytes: int) -> None:
    """Raises NeedsOperator if a part has not what its manifest says."""
    if (rows, bytes) != (part.rows, part.bytes):
        raise NeedsOperator(
            _damaged(
                folder, part.path, f"it has {rows} rows and {bytes} bytes, the manifest {part.rows} and {part.bytes}"
            )
        )


def manifest_of(folder: ArchiveFolder) -> ArchiveManifest | None:
    """The manifest of a folder; None if it has none: then what is there was never finished."""
    files, path = _at(folder.file(MANIFEST))
    with _failures_explained(folder):
        if not files.exists(path):
            return None
        text = files.cat_file(path)
    return read(text, redacted(folder.file(MANIFEST)))


def named_manifest(url: str) -> tuple[ArchiveFolder, ArchiveManifest]:
    """A manifest by its own address, and its folder. Raises WrongUsage if there is none."""
    folder, slash, name = url.replace("\\", "/").rpartition("/") if "://" not in url else url.rpartition("/")
    archived = ArchiveFolder(folder if slash else ".")
    if name != MANIFEST:
        raise WrongUsage(f"{redacted(url)} is no manifest of an event archive: its name is {MANIFEST}")
    manifest = manifest_of(archived)
    if manifest is None:
        raise WrongUsage(f"There is no {redacted(url)}")
    return archived, manifest


def write_manifest(folder: ArchiveFolder, manifest: ArchiveManifest) -> None:
    """All at once: it is written under another name, and renamed."""
    files, path = _at(folder.file(MANIFEST))
    unfinished = f"{path}.{uuid4().hex[:8]}"
    with _failures_explained(folder):
        files.pipe_file(unfinished, written(manifest))
        _settle(files, unfinished)
        files.mv(unfinished, path)
        _settle(files, path)


def folders_in(folder: ArchiveFolder) -> list[str]:
    """The names of the folders in a folder, in order; none if it is not there."""
    files, path = _at(folder.url)
    with _failures_explained(folder):
        files.invalidate_cache()
        if not files.exists(path):
            return []
        found = files.ls(path, detail=True)
    return sorted(one["name"].rstrip("/").rpartition("/")[2] for one in found if one["type"] == "directory")


def forget_unfinished(folder: ArchiveFolder) -> None:
    """Removes what a killed run has left in a folder that has no manifest."""
    files, path = _at(folder.url)
    with _failures_explained(folder):
        if files.exists(path):
            files.rm(path, recursive=True)


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


def _at(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it. Raises WrongUsage if there is none, or its package is missing."""
    try:
        files, path = fsspec.core.url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise WrongUsage(f"{redacted(url)} cannot be an event archive: {redacted(str(error))}") from error
    return files, str(path)


@contextmanager
def _opened(folder: ArchiveFolder, name: str) -> Iterator[Any]:
    files, path = _at(folder.file(name))
    try:
        stream = files.open(path, "rb")
    except FileNotFoundError as error:
        raise NeedsOperator(_damaged(folder, name, "it is not there")) from error
    with stream:
        yield stream


@contextmanager
def _failures_explained(folder: ArchiveFolder, name: str | None = None) -> Iterator[None]:
    """Failures of files as our own errors."""
    try:
        yield
    except pa.ArrowInvalid as error:
        raise NeedsOperator(_damaged(folder, name or "a part", str(error))) from error
    except OSError as error:
        raise TryAgain(
            f"The event archive {folder} cannot be used now: {redacted(str(error)) or type(error).__name__}."
            " Nothing that is not archived was deleted; run again"
        ) from error


def _damaged(folder: ArchiveFolder, name: str, how: str) -> str:
    return (
        f"{redacted(folder.file(name))} is damaged: {how}. Nothing of it was deleted or restored."
        " Bring back the file that was written, then run again"
    )


def _is_local(files: Any) -> bool:
    return isinstance(files, LocalFileSystem)


def _settle(files: Any, path: str) -> None:
    """A machine that loses its power must not lose what the store no longer has."""
    if _is_local(files):
        for settled in (Path(path), Path(path).parent):
            with suppress(PermissionError):
                opened = os.open(settled, os.O_RDONLY)
                try:
                    os.fsync(opened)
                finally:
                    os.close(opened)
