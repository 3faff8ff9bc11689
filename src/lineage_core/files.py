"""Files below any URL that fsspec knows. No other module knows that library.

A failure of a file system stays the OSError that it is; `failures_explained` makes it one of our own errors.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import fsspec
from fsspec.implementations.local import LocalFileSystem

from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.postgres.addresses import redacted


@dataclass(frozen=True)
class FileFolder:
    """A folder below any URL, whether it is there or not."""

    url: str

    def below(self, name: str) -> FileFolder:
        return FileFolder(f"{self.url.rstrip('/')}/{name}")

    def file(self, name: str) -> str:
        """The URL of a file in it."""
        return f"{self.url.rstrip('/')}/{name}"

    def __str__(self) -> str:
        return redacted(self.url)


@contextmanager
def failures_explained(what: str, what_stays: str) -> Iterator[None]:
    """A failure of a file system as TryAgain, which says `what` cannot be used now, and that nothing is lost.

    Where an object store knows no credentials, or refuses them, it is NeedsOperator: to try again is of no use.
    """
    try:
        yield
    except _failures() as error:
        reason = redacted(str(error)) or type(error).__name__
        if type(error).__name__ in _OF_CREDENTIALS:
            raise NeedsOperator(
                f"{what} has no credentials: {reason}. {what_stays}; set them, then run again"
            ) from error
        raise TryAgain(f"{what} cannot be used now: {reason}. {what_stays}; run again") from error


@contextmanager
def opened(url: str) -> Iterator[Any]:
    """A file, to be read. Raises FileNotFoundError if it is not there."""
    files, path = _at(url)
    with files.open(path, "rb") as stream:
        yield stream


@contextmanager
def written(url: str) -> Iterator[Any]:
    """A file, to be written piece by piece. It is on disk when the block ends, its folder too."""
    files, path = _at(url)
    _make_parent(files, path)
    with files.open(path, "wb") as stream:
        yield stream
    _settle(files, path)


def content(url: str) -> bytes | None:
    """What is in a file; None if it is not there."""
    files, path = _at(url)
    files.invalidate_cache()
    try:
        return bytes(files.cat_file(path))
    except FileNotFoundError:
        return None


def modified(url: str) -> datetime:
    """When a file was written, in UTC. Raises FileNotFoundError if it is not there."""
    files, path = _at(url)
    files.invalidate_cache()
    found: datetime = files.modified(path)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def replace(url: str, data: bytes) -> None:
    """Writes a file all at once, whether it was there or not: under another name, and renamed where that is needed."""
    files, path = _at(url)
    if _is_object_store(files):
        _put_object(files, path, data, "overwrite")
        return
    _make_parent(files, path)
    unfinished = _written_beside(files, path, data)
    files.mv(unfinished, path)
    _settle(files, path)


def put_if_absent(url: str, data: bytes) -> bool:
    """Writes a file all at once; False if it was there already: then nothing is written.

    Of two writers at the same moment one gets False, except on file systems of which fsspec cannot ask that; there
    the file is what the last of them wrote. So give it a name that follows from its content.
    """
    files, path = _at(url)
    _make_parent(files, path)
    if isinstance(files, LocalFileSystem):
        return _linked_if_absent(files, path, data)
    files.invalidate_cache()
    try:
        _put_object(files, path, data, "create")
    except FileExistsError:
        return False
    return True


def put_content(url: str, data: bytes) -> None:
    """Writes a file whose name follows from its content, unless it is there. Raises NeedsOperator if what is there is
    something else."""
    if not put_if_absent(url, data) and content(url) != data:
        raise damaged(url, "its bytes are not those of its name", "Remove it, then run again")


def folders_in(folder: FileFolder) -> list[str]:
    """The names of the folders in a folder, in order; none if it is not there."""
    return _names_in(folder, "directory")


def files_in(folder: FileFolder) -> list[str]:
    """The names of the files in a folder, in order; none if it is not there."""
    return _names_in(folder, "file")


def _names_in(folder: FileFolder, kind: str) -> list[str]:
    files, path = _at(folder.url)
    files.invalidate_cache()
    if not files.exists(path):
        return []
    found = files.ls(path, detail=True)
    return sorted(one["name"].rstrip("/").rpartition("/")[2] for one in found if one["type"] == kind)


def remove(folder: FileFolder) -> None:
    """Removes a folder with all that is in it, if it is there."""
    files, path = _at(folder.url)
    if files.exists(path):
        files.rm(path, recursive=True)


def remove_file(url: str) -> None:
    """Removes a file, if it is there."""
    files, path = _at(url)
    with suppress(FileNotFoundError):
        files.rm_file(path)


def damaged(url: str, how: str, what_to_do: str) -> NeedsOperator:
    """The error of a file that is not what was written."""
    return NeedsOperator(f"{redacted(url)} is damaged: {how}. {what_to_do}")


def _at(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path in it. Raises WrongUsage if there is none, or its package is missing."""
    try:
        files, path = fsspec.core.url_to_fs(url)
    except (ValueError, ImportError) as error:
        raise WrongUsage(f"There can be no files at {redacted(url)}: {redacted(str(error))}") from error
    return files, str(path)


_OBJECT_STORES = {"s3", "s3a"}
"""Protocols whose files are there whole or not at all, and whose folders are only parts of names."""

_ERRORS_OF_ITS_OWN = {"botocore.exceptions": "BotoCoreError", "aiohttp": "ClientError"}
"""Modules and classes of errors that a file system of S3 raises as they are, where no server has answered."""

_OF_CREDENTIALS = {"NoCredentialsError", "PartialCredentialsError", "ProfileNotFound"}


def _failures() -> tuple[type[Exception], ...]:
    """What file systems raise. A library that is not loaded has raised nothing."""
    loaded = [(sys.modules.get(module), name) for module, name in _ERRORS_OF_ITS_OWN.items()]
    return (OSError, *(getattr(module, name) for module, name in loaded if module is not None))


def _is_object_store(files: Any) -> bool:
    protocols = files.protocol if isinstance(files.protocol, tuple) else (files.protocol,)
    return bool(_OBJECT_STORES & {*protocols})


def _put_object(files: Any, path: str, data: bytes, mode: str) -> None:
    """Raises NeedsOperator if the bucket is not there: nothing else can be missing."""
    try:
        files.pipe_file(path, data, mode=mode)
    except FileNotFoundError as error:
        raise NeedsOperator(
            f"There is no bucket for {redacted(path)}: make it, or correct the URL, then run again"
        ) from error


def _make_parent(files: Any, path: str) -> None:
    """A bucket is not made: its name may be a mistake."""
    if not _is_object_store(files):
        files.makedirs(path.rpartition("/")[0], exist_ok=True)


def _written_beside(files: Any, path: str, data: bytes) -> str:
    """The name of a file beside another, under which no one looks."""
    unfinished = f"{path}.{uuid4().hex[:8]}"
    files.pipe_file(unfinished, data)
    _settle(files, unfinished)
    return unfinished


def _linked_if_absent(files: Any, path: str, data: bytes) -> bool:
    """A file of this machine is whole under its name, or not there: its second name is made once it is on disk."""
    if files.exists(path):
        return False
    unfinished = _written_beside(files, path, data)
    try:
        os.link(unfinished, path)
    except FileExistsError:
        return False
    finally:
        Path(unfinished).unlink()
    _settle(files, path)
    return True


def _settle(files: Any, path: str) -> None:
    """A machine that loses its power must not lose what the store no longer has."""
    if isinstance(files, LocalFileSystem):
        for settled in (Path(path), Path(path).parent):
            with suppress(PermissionError):
                opened_file = os.open(settled, os.O_RDONLY)
                try:
                    os.fsync(opened_file)
                finally:
                    os.close(opened_file)
