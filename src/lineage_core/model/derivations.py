"""Every derivation of the merge: a file of `sql/derive/`, whose header declares it. A new one is a new file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from lineage_core import statements
from lineage_core.model.derivation import Derivation, TemporaryTable
from lineage_core.model.headers import header
from lineage_core.model.merge_order import DERIVE
from lineage_core.model.vocabulary import DeclarationError

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
