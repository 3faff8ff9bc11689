"""Files of events: found below the paths that a person names, and read, compressed or not."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from lineage_core.documents import Piece, split
from lineage_core.errors import NeedsOperator, WrongUsage

STANDARD_INPUT = "-"
ENDINGS = (".json", ".ndjson", ".jsonl")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class EventFile:
    """A file, or standard input where `path` is None. `size` is that of the file as it lies there, in bytes."""

    name: str
    path: Path | None = None
    size: int = 0


class OpenFile:
    """An event file that is being read. Damage in it ends the pieces; `refuse_damage` tells of it afterwards."""

    def __init__(self, name: str, stream: io.BufferedReader) -> None:
        self._name = name
        self._stream = stream
        self._damage = ""
        self._content = gzip.GzipFile(fileobj=stream) if _is_gzip(stream) else stream

    @property
    def position(self) -> int:
        """How far the file has been read, in bytes of the file as it lies there."""
        return self._stream.tell() if self._stream.seekable() else 0

    def pieces(self) -> Iterator[Piece]:
        return split(self._read)

    def refuse_damage(self) -> None:
        """Raise NeedsOperator if the pieces ended before the file did."""
        if self._damage:
            raise NeedsOperator(
                f"{self._name}: {self._damage}. What came before is stored; to ingest it again is safe."
            )

    def _read(self, size: int) -> bytes:
        """So many bytes, fewer only at the end or before damage: `read` would lose what stands before it."""
        parts = []
        while size and (part := self._read_some(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _read_some(self, size: int) -> bytes:
        try:
            return b"" if self._damage else self._content.read1(size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            self._damage = f"its gzip stream is damaged ({error})"
        except OSError as error:
            self._damage = f"it cannot be read on ({error.strerror})"
        return b""


def find(paths: Iterable[str]) -> list[EventFile]:
    """The files that the paths name; in folders, at any depth, those with the usual endings, in order of their names.

    Raises WrongUsage if a path does not exist.
    """
    return [file for path in paths for file in _below(path)]


@contextmanager
def opened(file: EventFile) -> Iterator[OpenFile]:
    if file.path is None:
        yield OpenFile(file.name, cast(io.BufferedReader, sys.stdin.buffer))
        return
    try:
        stream = file.path.open("rb")
    except OSError as error:
        raise WrongUsage(f"{file.name}: cannot be opened ({error.strerror}).") from error
    with stream:
        yield OpenFile(file.name, stream)


def _below(path: str) -> Iterator[EventFile]:
    if path == STANDARD_INPUT:
        yield EventFile("standard input")
    elif Path(path).is_dir():
        yield from map(_file, _event_files(Path(path)))
    elif Path(path).exists():
        yield _file(Path(path))
    else:
        raise WrongUsage(f"{_printable(path)}: no such file or folder.")


def _event_files(folder: Path) -> list[Path]:
    found = (Path(parent, name) for parent, _, names in os.walk(folder) for name in names)
    return sorted(path for path in found if path.name.lower().removesuffix(".gz").endswith(ENDINGS))


def _file(path: Path) -> EventFile:
    return EventFile(_printable(path), path, path.stat().st_size)


def _printable(path: str | Path) -> str:
    """The path as text that a database takes: a name on disk may be any bytes."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _is_gzip(stream: io.BufferedReader) -> bool:
    """By its first bytes, whatever the file is called."""
    return stream.peek(len(_GZIP)).startswith(_GZIP)
