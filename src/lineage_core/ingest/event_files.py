"""Files of events: found below the paths that a person names, and read, compressed or not.

What cannot be found or read is reported, no more. In folders, pipes, sockets and devices are not read: no one
has named them, and a pipe without writer would wait for ever.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from lineage_core.errors import WrongUsage
from lineage_core.openlineage.documents import Piece, split

STANDARD_INPUT = "-"
ENDINGS = (".json", ".ndjson", ".jsonl")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True)
class EventFile:
    """A file, or standard input where `path` is None. `size` is that of the file as it lies there, in bytes.

    is_named: a person has named it, so it may also be a pipe or a device, and is read like a stream.
    """

    name: str
    path: Path | None = None
    size: int = 0
    is_named: bool = False


@dataclass(frozen=True)
class ReadingFailure:
    """A file or folder, or the rest of one, that could not be read, and why."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True)
class FoundFiles:
    """What lies below some paths."""

    files: tuple[EventFile, ...]
    unreadable: tuple[ReadingFailure, ...] = ()


class OpeningFailure(Exception):
    """A file that cannot be read from its beginning."""

    def __init__(self, unreadable: ReadingFailure) -> None:
        super().__init__(str(unreadable))
        self.unreadable = unreadable


class OpenFile:
    """An event file that is being read. Damage in it ends the pieces; `damage` tells of it afterwards."""

    def __init__(self, name: str, stream: io.BufferedReader) -> None:
        self.damage: ReadingFailure | None = None
        self._name = name
        self._stream = stream
        self._content = gzip.GzipFile(fileobj=stream) if _is_gzip(stream) else stream

    @property
    def position(self) -> int:
        """How far the file has been read, in bytes of the file as it lies there."""
        return self._stream.tell() if self._stream.seekable() else 0

    def pieces(self) -> Iterator[Piece]:
        return split(self._read)

    def _read(self, size: int) -> bytes:
        """So many bytes, fewer only at the end or before damage: `read` would lose what stands before it."""
        parts = []
        while size and (part := self._read_some(size)):
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _read_some(self, size: int) -> bytes:
        try:
            return b"" if self.damage else self._content.read1(size)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            reason = f"its gzip stream is damaged ({error})"
        except OSError as error:
            reason = f"it cannot be read on ({error.strerror})"
        self.damage = ReadingFailure(self._name, f"{reason}; what came before is stored")
        return b""


def find(paths: Iterable[str]) -> FoundFiles:
    """The files that the paths name; in folders, at any depth, those with the usual endings, in order of their names.

    Links are followed, to each folder once. Raises WrongUsage if nothing has the name of a path.
    """
    files, unreadable = list[EventFile](), list[ReadingFailure]()
    for path in paths:
        below = _below(path)
        files += below.files
        unreadable += below.unreadable
    return FoundFiles(tuple(files), tuple(unreadable))


@contextmanager
def opened(file: EventFile) -> Iterator[OpenFile]:
    """Raises Unopened if that fails. It may have become something else since it was found."""
    with ExitStack() as closing:
        try:
            stream = _stream(file)
            if file.path is not None:
                closing.enter_context(stream)
            content = OpenFile(file.name, stream)
        except OSError as error:
            raise OpeningFailure(ReadingFailure(file.name, f"it cannot be opened ({error.strerror})")) from error
        yield content


def _stream(file: EventFile) -> io.BufferedReader:
    if file.path is None:
        if sys.stdin is None:
            raise OpeningFailure(ReadingFailure(file.name, "it is closed"))
        return cast(io.BufferedReader, sys.stdin.buffer)
    if file.is_named:
        return file.path.open("rb")
    descriptor = os.open(file.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind):
        os.close(descriptor)
        raise OpeningFailure(ReadingFailure(file.name, _no_file(kind)))
    return os.fdopen(descriptor, "rb")


def _below(path: str) -> FoundFiles:
    if path == STANDARD_INPUT:
        return FoundFiles((EventFile("standard input"),))
    try:
        status = Path(path).stat()
    except OSError as error:
        is_missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        if is_missing and not Path(path).is_symlink():
            raise WrongUsage(f"{_printable(path)}: no such file or folder.") from error
        return FoundFiles((), (ReadingFailure(_printable(path), _unfollowed(error)),))
    if stat.S_ISDIR(status.st_mode):
        return _Walk().through(Path(path))
    return FoundFiles((EventFile(_printable(path), Path(path), status.st_size, is_named=True),))


class _Walk:
    """Through a folder and all below it, to each folder once, however many links lead there."""

    def __init__(self) -> None:
        self._files: list[EventFile] = []
        self._unreadable: list[ReadingFailure] = []
        self._visited: set[tuple[int, int]] = set()

    def through(self, folder: Path) -> FoundFiles:
        waiting = [folder]
        while waiting:
            waiting += self._visit(waiting.pop())
        self._files.sort(key=lambda file: file.path or Path())
        self._unreadable.sort(key=lambda unreadable: unreadable.name)
        return FoundFiles(tuple(self._files), tuple(self._unreadable))

    def _visit(self, folder: Path) -> list[Path]:
        """Notes the files of a folder; gives the folders in it."""
        try:
            status = folder.stat()
            place = status.st_dev, status.st_ino
            if place in self._visited:
                return []
            self._visited.add(place)
            with os.scandir(folder) as entries:
                names = [entry.name for entry in entries]
        except OSError as error:
            self._note(folder, f"the folder cannot be read ({error.strerror})")
            return []
        return [folder / name for name in names if self._is_folder(folder / name)]

    def _is_folder(self, path: Path) -> bool:
        """Whether it is one; files of events are noted."""
        try:
            status = path.stat()
        except OSError as error:
            # Of a link that leads nowhere no one knows whether a folder of events should be there.
            if _has_ending(path) or path.is_symlink():
                self._note(path, _unfollowed(error))
            return False
        if stat.S_ISDIR(status.st_mode):
            return True
        if _has_ending(path):
            if stat.S_ISREG(status.st_mode):
                self._files.append(EventFile(_printable(path), path, status.st_size))
            else:
                self._note(path, _no_file(status.st_mode))
        return False

    def _note(self, path: Path, reason: str) -> None:
        self._unreadable.append(ReadingFailure(_printable(path), reason))


def _has_ending(path: Path) -> bool:
    return path.name.lower().removesuffix(".gz").endswith(ENDINGS)


def _unfollowed(error: OSError) -> str:
    return f"it cannot be found ({error.strerror})"


def _no_file(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "it is a pipe, which is read only where it is named itself"
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        return "it is a device, which is read only where it is named itself"
    return "it is no file"


def _printable(path: str | Path) -> str:
    """The path as text that a database takes: a name on disk may be any bytes."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _is_gzip(stream: io.BufferedReader) -> bool:
    """By its first bytes, whatever the file is called."""
    return stream.peek(len(_GZIP)).startswith(_GZIP)
