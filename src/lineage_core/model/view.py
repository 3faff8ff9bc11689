"""The declaration of a view."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """A view. Its statement is the file of `sql/views/` that is named for it."""

    name: str
    doc: str
    """What its rows are, in one sentence."""
    readers: str
    """Who asks it."""
    reads: tuple[str, ...]
    """The tables and views that it reads."""
    open_to_operators: bool = False
    """Whether it shows people what they themselves have set."""
