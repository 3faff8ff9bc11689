"""Every table of the store, one file each; found by looking, so a new table is a new file."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from lineage_core.model.registry import declarations, in_order
from lineage_core.model.vocabulary import DERIVED, DeclarationError, Table


@cache
def all_tables() -> tuple[Table, ...]:
    """Every declared table, parents before the tables that refer to them."""
    return in_reference_order(declarations(__name__, "TABLE"))


def table_named(name: str) -> Table:
    for declared in all_tables():
        if declared.name == name:
            return declared
    raise DeclarationError(f"no file in tables/ declares {name}")


def replaceable_tables() -> tuple[Table, ...]:
    """The tables in whose place there may be a view."""
    return tuple(declared for declared in all_tables() if declared.replacement)


def normalized_tables() -> tuple[Table, ...]:
    """The tables that hold what events say, and what is derived of it, parents first."""
    return tuple(
        declared
        for declared in all_tables()
        if declared.rows is not None or any(column.rule == DERIVED for column in declared.columns)
    )


def in_reference_order(tables: Iterable[Table]) -> tuple[Table, ...]:
    """The tables, parents first and otherwise by name; late references order nothing.

    Raises DeclarationError if a reference names no table, or if references other than late ones form a cycle.
    """
    by_name = {declared.name: declared for declared in sorted(tables, key=lambda one: one.name)}
    for declared in by_name.values():
        _refuse_unknown_parents(declared, by_name)
    parents = {name: _parents(declared) for name, declared in by_name.items()}
    return tuple(by_name[name] for name in in_order(parents, "references form a cycle, so one must be late"))


def _parents(declared: Table) -> set[str]:
    """The tables that must exist before this one; a reference to itself needs none."""
    references = [column.reference for column in declared.columns if column.reference and not column.reference.late]
    return {reference.table for reference in references} - {declared.name}


def _refuse_unknown_parents(declared: Table, known: Iterable[str]) -> None:
    for column in declared.columns:
        if column.reference and column.reference.table not in known:
            raise DeclarationError(
                f"{declared.name}.{column.name} refers to {column.reference.table}, which no file in tables/ declares"
            )
