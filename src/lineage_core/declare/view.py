"""The declaration of a view."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lineage_core.declare.vocabulary import Type


@dataclass(frozen=True)
class ViewStream:
    """The changelog stream of a view, which publishes what tables mean that hold once what is said often.

    `streams/images` has a statement, named for the view, that makes its rows of rows of the captured tables.
    """

    name: str
    """That of the view."""
    columns: Mapping[str, Type]
    captured: Mapping[str, tuple[str, ...]]
    """The tables whose changes change the view, each with the columns that it needs."""
    contents: Mapping[str, tuple[str, ...]]
    """The tables of contents that they name, with the columns that it needs. Their rows never change."""
    key: tuple[str, ...] = ()
    """The columns that name a row; without any, a change is a retraction and an append."""
    event_time: tuple[str, ...] = ()
    """As that of a `TableStream`."""


@dataclass(frozen=True)
class View:
    """A view. Its statement says the rest in its header."""

    name: str
    doc: str
    """What its rows are, in one sentence."""
    readers: str
    """Who asks it."""
    reads: tuple[str, ...]
    """The tables and views that it reads."""
    statement: str = ""
    """The name of what makes it."""
    is_materialized: bool = False
    open_to_operators: bool = False
    """Whether it shows people what they themselves have set."""
    stream: ViewStream | None = None
    """Its changelog stream; None if it has none."""
