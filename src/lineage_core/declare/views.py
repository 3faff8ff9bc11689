"""Every view of the store: a statement `views/…` of a package, whose header declares it; found by looking."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from lineage_core import statements
from lineage_core.declare.headers import header
from lineage_core.declare.registry import declared, in_order
from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import DeclarationError, Type

FOLDER = "views"


@dataclass(frozen=True)
class ViewStream:
    """The changelog stream of a view, which publishes what tables mean that hold once what events repeat.

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


@cache
def all_views() -> tuple[View, ...]:
    """Every declared view, each behind the views that it reads."""
    return in_reading_order(_declared(), {table.name for table in all_tables()})


def _declared() -> Iterator[View]:
    """Raises DeclarationError if there is a stream of a view that no file makes."""
    streams: dict[str, ViewStream] = {found.value.name: found.value for found in declared("view_streams", ViewStream)}
    for statement in statements.in_each_room(FOLDER):
        name = statements.own_name(statement)
        found = header(statement, ("readers", "reads", "open to operators"))
        yield View(
            name=name,
            statement=statement,
            doc=found.doc,
            readers=found.text("readers"),
            reads=found.names("reads"),
            is_materialized="CREATE MATERIALIZED VIEW" in statements.named(statement),
            open_to_operators="open to operators" in found.properties,
            stream=streams.pop(name, None),
        )
    if streams:
        raise DeclarationError(f"{sorted(streams)} are streams of views that no statement {FOLDER}/… makes")


def in_reading_order(views: Iterable[View], tables: set[str]) -> tuple[View, ...]:
    """The views, each behind those that it reads, and otherwise by name.

    Raises DeclarationError if one reads what is neither a table nor a view, or if views read each other in a circle.
    """
    by_name = {view.name: view for view in sorted(views, key=lambda one: one.name)}
    for view in by_name.values():
        unknown = set(view.reads) - tables - by_name.keys()
        if unknown:
            raise DeclarationError(f"{view.name} reads {sorted(unknown)}, which no file declares")
    reads = {name: by_name.keys() & set(view.reads) for name, view in by_name.items()}
    return tuple(by_name[name] for name in in_order(reads, "views read each other"))
