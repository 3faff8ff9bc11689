"""The SQL that runs, by its name: its path below `sql/`, without the ending. Each file is read once.

What is about to run is announced by `sys.audit`, which costs nothing unless somebody listens: a tracer, or a test that
kills the process at a step that it knows by name.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from typing import LiteralString

from lineage_core.settings import PROJECT

SQL = PROJECT / "sql"

STEP = "lineage_core.step"
"""The audit event. Its one argument is the name of the step."""


@cache
def named(name: str) -> LiteralString:
    """The text of one file, which may hold several statements."""
    return (SQL / f"{name}.sql").read_text()


def without_comments(name: str) -> str:
    """The text of one file as Postgres reads it: the names in it are those of what it uses."""
    return re.sub(r"--.*", "", named(name))


def of_folder(folder: str) -> Iterator[LiteralString]:
    """The files of a folder, by name."""
    return (named(f"{folder}/{name}") for name in names(folder))


def names(folder: str) -> tuple[str, ...]:
    """The names of a folder's files, each named for the one object that it makes."""
    return tuple(sorted(path.stem for path in (SQL / folder).glob("*.sql")))


def names_below(folder: str, name: str) -> tuple[str, ...]:
    """The files of one name in the folders of a folder, each by its path below it."""
    return tuple(sorted(f"{path.parent.name}/{name}" for path in (SQL / folder).glob(f"*/{name}.sql")))


def announce(step: str) -> None:
    """Says that the process comes to a step: the statement of that name, or several that belong together."""
    sys.audit(STEP, step)
