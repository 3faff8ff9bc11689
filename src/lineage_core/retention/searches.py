"""The statements that look for what retention lets go, in an order that follows from what they name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lineage_core import statements
from lineage_core.declare.registry import in_order

FIND = "retention/find"
_MADE = re.compile(r"^CREATE TEMP (?:TABLE|VIEW) (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Search:
    """A statement of a folder below `retention/find/`, with the temporary tables that it makes."""

    folder: str
    name: str

    @property
    def path(self) -> str:
        return f"{FIND}/{self.folder}/{self.name}"

    @property
    def makes(self) -> frozenset[str]:
        return frozenset(_MADE.findall(statements.without_comments(self.path)))

    def names(self, tables: frozenset[str]) -> bool:
        return not tables.isdisjoint(re.findall(r"\w+", statements.without_comments(self.path)))


def searches(folder: str) -> tuple[Search, ...]:
    """The searches of a folder; each comes behind those whose temporary tables it names.

    Raises DeclarationError if they name each other's in a circle.
    """
    found = {name: Search(folder, name) for name in statements.names(f"{FIND}/{folder}")}
    needs = {
        name: [other for other, made in found.items() if other != name and search.names(made.makes)]
        for name, search in found.items()
    }
    return tuple(found[name] for name in in_order(needs, f"the searches of {FIND}/{folder} form a circle"))
