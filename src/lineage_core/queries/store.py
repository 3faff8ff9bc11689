"""The named queries: what each answers, its parameters, its statement as the driver takes it, and what a store answers.

A file of `sql/queries/` is written for psql: `:'dataset'` stands for a parameter, and lines that begin with a backslash
give an optional one its default. Here the lines are left out, and parameters are bound.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import LiteralString

import psycopg

from lineage_core.command_line.found_rows import FoundRows
from lineage_core.declare.headers import header_of
from lineage_core.errors import WrongUsage
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT

FOLDER = PROJECT / "sql" / "queries"

_PARAMETER = re.compile(r":'(\w+)'")


@dataclass(frozen=True)
class NamedQuery:
    """A file of `sql/queries/`. Its header has the doc, and names the parameters."""

    name: str
    doc: str
    """The question that it answers, in one sentence."""
    parameters: tuple[str, ...]
    """Those that must be given."""
    optional: tuple[str, ...]
    """Those that narrow the answer. Empty means any."""
    text: LiteralString = field(repr=False)
    """The file, as psql takes it."""

    @property
    def statement(self) -> LiteralString:
        """With `%(name)s` for each parameter."""
        lines = [line for line in self.text.splitlines() if not line.startswith("\\")]
        return _PARAMETER.sub(r"%(\1)s", "\n".join(lines).replace("%", "%%"))

    def bound(self, given: Mapping[str, str]) -> dict[str, str]:
        """The value of each parameter. Raises WrongUsage if one is missing, or one is given that it does not have."""
        for name in self.parameters:
            if name not in given:
                raise WrongUsage(f"The query {self.name} needs --{name}")
        for name in given:
            if name not in (*self.parameters, *self.optional):
                raise WrongUsage(f"The query {self.name} has no --{name}; it has {self.described_parameters or 'none'}")
        return dict.fromkeys(self.optional, "") | dict(given)

    @property
    def described_parameters(self) -> str:
        """As options of a command; in brackets what may be left out."""
        return " ".join([*(f"--{name}" for name in self.parameters), *(f"[--{name}]" for name in self.optional)])


@cache
def named_queries() -> tuple[NamedQuery, ...]:
    """All, by name."""
    return tuple(map(_read, sorted(FOLDER.glob("*.sql"))))


def query_named(name: str) -> NamedQuery:
    """Raises WrongUsage, with the nearest name, if there is none of that name."""
    for query in named_queries():
        if query.name == name:
            return query
    near = difflib.get_close_matches(name, [query.name for query in named_queries()], n=1)
    advice = f"did you mean {near[0]}?" if near else "`lineage query --list` lists them."
    raise WrongUsage(f"There is no query {name}; {advice}")


def _read(file: Path) -> NamedQuery:
    text = file.read_text()
    found = header_of(text, f"sql/queries/{file.name}", ("parameters", "optional"))
    return NamedQuery(file.stem, found.doc, found.names("parameters"), found.names("optional"), text)


def answer(store: Store, query: str, given: Mapping[str, str], limit: int | None = None) -> FoundRows:
    """Run `sql/queries/<query>.sql`, in a transaction that can only read, with its parameters bound.

    limit: how many rows to give at most. Raises WrongUsage for a parameter that is missing, unknown, or that Postgres
    cannot read as what it is meant to be.
    """
    asked = query_named(query)
    bound = asked.bound(given)
    with store.session("lineage_reader") as connection:
        connection.execute("SET TRANSACTION READ ONLY")
        # A cursor of the server, so that rows behind the limit are neither sent nor held here.
        with connection.cursor("answer") as found:
            try:
                found.execute(asked.statement, bound)
                rows = found.fetchall() if limit is None else found.fetchmany(limit + 1)
            except psycopg.DataError as error:
                raise WrongUsage(f"The query {query} cannot use a parameter: {error.diag.message_primary}") from error
            columns = tuple(column.name for column in found.description or ())
    shown = rows if limit is None else rows[:limit]
    return FoundRows(columns, tuple(map(tuple, shown)), len(shown) == len(rows))
