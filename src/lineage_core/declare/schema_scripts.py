"""The repeatable scripts of the store: functions, triggers and views, each by its name.

An upgrade runs those whose text has changed since it last ran them, as `schema_scripts`, the table, knows by their
digests. Views depend on each other, so all of them are made anew where one has changed.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import LiteralString

from lineage_core import statements

UNCHECKED = "SET LOCAL check_function_bodies = off;"
"""Functions in plain SQL read views, which come after them."""

FUNCTIONS, TRIGGERS, REFUSALS, CAPTURE, VIEWS = "functions", "triggers", "refusals", "capture", "views"
REPLACEMENTS = "long_migrations"


@dataclass(frozen=True)
class SchemaScript:
    """A statement of one of these folders, named for the one object that it makes, or for its table."""

    folder: str
    name: str
    statement: str
    """The name by which it is found."""

    @property
    def path(self) -> str:
        """By which a store knows it: it is the same if the statement moves to another package."""
        return f"{self.folder}/{self.name}"

    @property
    def text(self) -> LiteralString:
        return statements.named(self.statement)

    @property
    def digest(self) -> str:
        """SHA-256 of the text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def schema_scripts() -> tuple[SchemaScript, ...]:
    """Those that can be run one by one, in their order."""
    return tuple(script for folder in (FUNCTIONS, TRIGGERS, REFUSALS, CAPTURE) for script in _of_folder(folder))


def all_scripts() -> tuple[SchemaScript, ...]:
    """These, with the views, and with what puts a view in the place of a table for good."""
    replacing = (
        SchemaScript(REPLACEMENTS, name, f"{REPLACEMENTS}/{name}")
        for name in statements.names_below(REPLACEMENTS, "drop")
    )
    return (*schema_scripts(), *_of_folder(VIEWS), *replacing)


def _of_folder(folder: str) -> tuple[SchemaScript, ...]:
    return tuple(
        SchemaScript(folder, statements.own_name(statement), statement) for statement in statements.in_each_room(folder)
    )
