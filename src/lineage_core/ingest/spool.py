"""Events on disk that the store has yet to take: a folder with a file for each, filled and emptied by many processes.

A file is locked by whoever writes it or takes it to the store, for as long as the process lives: one that is killed
leaves it to the next. It goes when its event is stored. Whatever comes between, the event is there, perhaps twice.
"""

from __future__ import annotations

import fcntl
import logging
import os
import secrets
import stat
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from lineage_core.errors import NeedsOperator

MOST_BYTES = 1 << 30
"""What a spool may take of its disk, unless its owner says otherwise."""

BLOCK = 4096
"""A file counts as at least so many bytes: that is what it takes of the disk, and bounds their number."""

PATIENCE_SECONDS = 1.0
"""How long one process waits for another that adds an event. Should that one stand still, the bound may be passed."""

ENDING = ".json"
DRAFT = ".part"
"""Ending of a file that is being written, or whose writer was killed."""

FOLDER_MODE = 0o700
FILE_MODE = 0o600

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SpooledEvent:
    """An event in the spool, locked until the block ends. It may be the half of one, whose writer was killed."""

    path: Path
    descriptor: int
    raw: bytes

    def remove(self) -> None:
        """For an event that is stored."""
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)


@dataclass(frozen=True)
class Spool:
    """The spool in a folder, which is made when it is needed. `most_bytes` bounds what is added."""

    folder: Path
    most_bytes: int = MOST_BYTES

    def put(self, raw: bytes) -> SpooledEvent:
        """Keep an event, on disk when this returns. Raises NeedsOperator if there is no room, or no right."""
        try:
            self.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            with self._alone():
                self._refuse_overflow(raw)
                return self._written(raw)
        except OSError as error:
            raise NeedsOperator(
                f"The event cannot be kept in {self.folder} ({error.strerror}); LINEAGE_SPOOL names another folder"
            ) from error

    def claimed(self) -> Generator[SpooledEvent]:
        """The events that no one else has at hand, the oldest first.

        What cannot be read is logged, and stays. Raises NeedsOperator if the folder cannot be read.
        """
        return (kept for path in self._paths() if (kept := _claim(path)) is not None)

    def _paths(self) -> list[Path]:
        try:
            return sorted(path for path in self.folder.iterdir() if path.suffix in (ENDING, DRAFT))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise NeedsOperator(f"The spool {self.folder} cannot be read ({error.strerror})") from error

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Lets one process at a time add, so that together they keep to the bound."""
        descriptor = os.open(self.folder, os.O_RDONLY | os.O_CLOEXEC)
        try:
            _lock_patiently(descriptor)
            yield
        finally:
            os.close(descriptor)

    def _refuse_overflow(self, raw: bytes) -> None:
        size = self.size() + max(len(raw), BLOCK)
        if size > self.most_bytes:
            raise NeedsOperator(
                f"The spool {self.folder} is full: with this event it would have {size:,} bytes, and may have"
                f" {self.most_bytes:,}. Make the database reachable, then run `lineage ingest` to empty it"
            )

    def size(self) -> int:
        """In bytes, as `most_bytes` counts them."""
        total = 0
        with os.scandir(self.folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):  # stored meanwhile
                    total += max(entry.stat(follow_symlinks=False).st_size, BLOCK)
        return total

    def oldest(self) -> datetime | None:
        """Since when the event waits that has waited longest; None if none does. Raises NeedsOperator as `claimed`."""
        times = list[float]()
        for path in self._paths():
            with suppress(FileNotFoundError):  # stored meanwhile
                times.append(path.lstat().st_mtime)
        return datetime.fromtimestamp(min(times), UTC) if times else None

    def _written(self, raw: bytes) -> SpooledEvent:
        path = self.folder / f"{time.time_ns()}-{secrets.token_hex(4)}{ENDING}"
        draft = path.with_suffix(DRAFT)
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            _write_all(descriptor, raw)
            os.fsync(descriptor)
            draft.rename(path)
            _sync_folder(self.folder)
        except OSError:
            os.close(descriptor)
            draft.unlink(missing_ok=True)
            raise
        return SpooledEvent(path, descriptor, raw)


def _claim(path: Path) -> SpooledEvent | None:
    """None if somebody else has it, has stored it by now, or left nothing in it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        _log.warning("%s stays in the spool: it cannot be opened (%s).", path, error.strerror)
        return None
    raw = b""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        raw = _content(descriptor)
    except BlockingIOError:
        pass  # somebody has it at hand
    except OSError as error:
        _log.warning("%s stays in the spool: it cannot be read (%s).", path, error.strerror)
    if raw:
        return SpooledEvent(path, descriptor, raw)
    os.close(descriptor)
    return None


def _content(descriptor: int) -> bytes:
    """Nothing, if the file is gone by now, or is none."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode) or not status.st_nlink:
        return b""
    with os.fdopen(descriptor, "rb", closefd=False) as stream:
        return stream.read()


def _lock_patiently(descriptor: int) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                return
            time.sleep(0.01)
        else:
            return


def _write_all(descriptor: int, raw: bytes) -> None:
    rest = memoryview(raw)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _sync_folder(folder: Path) -> None:
    """So that the new name outlives a crash of the machine."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
