"""The named queries: what each answers, which parameters it has, and its statement as the driver takes it.

A file of `sql/queries/` is written for psql: `:'dataset'` stands for a parameter, and lines that begin with a backslash
give an optional one its default. Here the lines are left out, and parameters are bound.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import LiteralString

from lineage_core import statements
from lineage_core.errors import WrongUsage
from lineage_core.model.headers import header

FOLDER = "queries"

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

    @property
    def statement(self) -> LiteralString:
        """With `%(name)s` for each parameter."""
        written = statements.named(f"{FOLDER}/{self.name}")
        lines = [line for line in written.splitlines() if not line.startswith("\\")]
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
    return tuple(map(_read, statements.names(FOLDER)))


def query_named(name: str) -> NamedQuery:
    """Raises WrongUsage, with the nearest name, if there is none of that name."""
    for query in named_queries():
        if query.name == name:
            return query
    near = difflib.get_close_matches(name, [query.name for query in named_queries()], n=1)
    advice = f"did you mean {near[0]}?" if near else "`lineage query --list` lists them."
    raise WrongUsage(f"There is no query {name}; {advice}")


def _read(name: str) -> NamedQuery:
    found = header(f"{FOLDER}/{name}", ("parameters", "optional"))
    return NamedQuery(name, found.doc, found.names("parameters"), found.names("optional"))
