"""Every view of the store, one file each; found by looking, so a new view is a new file and its SQL."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from lineage_core.model.registry import declarations, in_order
from lineage_core.model.tables import all_tables
from lineage_core.model.view import View
from lineage_core.model.vocabulary import DeclarationError


@cache
def all_views() -> tuple[View, ...]:
    """Every declared view, each behind the views that it reads."""
    return in_reading_order(declarations(__name__, "VIEW"), {table.name for table in all_tables()})


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
