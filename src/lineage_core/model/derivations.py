"""Every derivation of the merge: a file of `sql/derive/`, whose header declares it. A new one is a new file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from lineage_core import statements
from lineage_core.declare.headers import header
from lineage_core.declare.vocabulary import DeclarationError

DERIVE = "model/derive"
"""Before the name of a derivation, this makes that of its statement."""

STAGED = "staging."
"""Stands before the name of a table whose staged rows are meant."""


def identities(entity: str) -> str:
    """The rows of `identity_map` that say which uuids of the table `entity` are in use."""
    return f"identity_map of {entity}"


@dataclass(frozen=True)
class TemporaryTable:
    """A table that lasts as long as its merge. `doc` says what its rows are: the first sentence of its comment."""

    name: str
    doc: str


@dataclass(frozen=True)
class Derivation:
    """What a file of `model/sql/derive/`, named for it, computes from tables. Its header says all this but `makes`.

    doc: what it derives. again: when it computes again what it has derived.
    reads: tables, temporary tables, staged rows (`staging.runs`), identities. What it writes, removes from or makes it
        may read, too, and does not name here.
    makes: the temporary tables that its statements make. writes: what it inserts into or updates. removes: what it
        deletes rows of; what refers to them goes, too, as the references of the tables say.
    before: steps that change what this one uses, which uses it as it is before; by the names of their statements.

    `datasets.current_version_uuid` in `writes` means that column alone. Who reads `datasets` reads its other columns.
    """

    name: str
    doc: str
    again: str
    reads: tuple[str, ...]
    makes: tuple[TemporaryTable, ...] = ()
    writes: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    before: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        made = {table.name for table in self.makes}
        for name in self.reads:
            if name in {*made, *self.writes, *self.removes}:
                raise DeclarationError(f"{self.name} reads {name}, which it makes or changes: that goes without saying")
        if not (self.makes or self.writes or self.removes):
            raise DeclarationError(f"{self.name} makes no temporary table and changes none: nothing needs it")


_MADE = re.compile(r"((?:^-- .*\n)*)^CREATE TEMP TABLE (\w+) ON COMMIT DROP AS$", re.MULTILINE)
"""A temporary table with the comment before it, which begins with its name and a sentence on its rows."""

_SENTENCE_END = re.compile(r"(?<=\.)\s")


@cache
def all_derivations() -> tuple[Derivation, ...]:
    """Every declared derivation, by name."""
    return tuple(map(_derivation, statements.names(DERIVE)))


def _derivation(name: str) -> Derivation:
    found = header(f"{DERIVE}/{name}", ("again", "reads", "writes", "removes", "before"))
    return Derivation(
        name=name,
        doc=found.doc,
        again=found.text("again"),
        reads=found.names("reads"),
        makes=tuple(_made(name)),
        writes=found.names("writes"),
        removes=found.names("removes"),
        before=found.names("before"),
    )


def _made(name: str) -> Iterator[TemporaryTable]:
    for comment, table in _MADE.findall(statements.named(f"{DERIVE}/{name}")):
        text = " ".join(line.removeprefix("-- ") for line in comment.splitlines())
        name_of, _, rows = text.partition(": ")
        if name_of != table:
            raise DeclarationError(
                f"{DERIVE}/{name} does not say what {table} is: `-- {table}: …` before its statement"
            )
        sentence = _SENTENCE_END.split(rows)[0]
        yield TemporaryTable(table, sentence[0].upper() + sentence[1:])
