"""The header of a SQL file: what the statements below it are for, in comments that are read as a declaration.

    -- Runs under the name that their job has now.
    -- readers: Marquez' server
    -- reads: jobs, jobs_view, runs
    --
    -- What stands behind an empty comment is for people alone.

First comes the doc, one or more sentences. Then comes each property, whose value may go on in lines that are indented.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from lineage_core import statements
from lineage_core.declare.vocabulary import DeclarationError

_PROPERTY = re.compile(r"([a-z]+(?: [a-z]+)*): (.+)")


@dataclass(frozen=True)
class Header:
    """The header of a statement. `path` is its name."""

    path: str
    doc: str
    properties: dict[str, str] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """The value of a property that every such file has. Raises DeclarationError if this one has not."""
        if name not in self.properties:
            raise DeclarationError(f"{self.path} has no `-- {name}: …` in its header")
        return self.properties[name]

    def names(self, name: str) -> tuple[str, ...]:
        """The names that a property lists, between commas; none if the property is left out."""
        value = self.properties.get(name)
        return () if value is None else tuple(one.strip() for one in value.split(","))


def header(path: str, properties: Collection[str]) -> Header:
    """Reads the header of the statement of that name, as `header_of` does."""
    return header_of(statements.named(path), path, properties)


def header_of(text: str, path: str, properties: Collection[str]) -> Header:
    """Reads the header of a text, which may have these properties and no others. Messages call the text `path`.

    Raises DeclarationError if it has no doc, another property, or one of them twice.
    """
    doc: list[str] = []
    values: dict[str, str] = {}
    last: str | None = None
    for line in _comments(text):
        found = _PROPERTY.fullmatch(line)
        if line.startswith("  ") and last is not None:
            values[last] += f" {line.strip()}"
        elif found is not None:
            last, value = found.groups()
            if last not in properties or last in values:
                raise DeclarationError(f"{path} says `{last}` in its header; known, once each: {properties}")
            values[last] = value
        elif last is None:
            doc.append(line.strip())
        else:
            raise DeclarationError(f"{path} goes on in its header with `{line}`: indent it, or put `--` before")
    if not doc:
        raise DeclarationError(f"{path} does not begin with a comment that says what it is for")
    return Header(path, " ".join(doc), values)


def _comments(text: str) -> list[str]:
    """The lines of the header, without what makes them comments."""
    lines: list[str] = []
    for line in text.splitlines():
        if not line.startswith("-- "):
            break
        lines.append(line.removeprefix("-- "))
    return lines
