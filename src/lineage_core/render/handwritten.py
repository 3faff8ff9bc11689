"""The SQL that is written by hand, as the renderings and the store read it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lineage_core.settings import PROJECT

SQL = PROJECT / "sql"


def scripts(folder: str) -> Iterator[str]:
    """The scripts of a folder of sql/, by name."""
    return (path.read_text() for path in _files(folder))


def script(path: str) -> str:
    """One script, by its path below sql/."""
    return (SQL / path).read_text()


def names(folder: str) -> tuple[str, ...]:
    """The names of a folder's scripts, each named for the one object that it makes."""
    return tuple(path.stem for path in _files(folder))


def _files(folder: str) -> list[Path]:
    return sorted((SQL / folder).glob("*.sql"))
