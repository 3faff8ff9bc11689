"""Every table of the store: those of the lineage model are a file each, those of another package are together.

They are found by looking: in `tables.py` of every package, or in the files of its `tables/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from lineage_core.declare.registry import FileDeclaration, declared, in_order
from lineage_core.declare.vocabulary import DERIVED, DeclarationError, Table


@cache
def all_tables() -> tuple[Table, ...]:
    """Every declared table, parents before the tables that refer to them."""
    return in_reference_order(found.value for found in declared_tables())


@cache
def declared_tables() -> tuple[FileDeclaration[Table], ...]:
    """They, each with the file that declares it."""
    return tuple(declared("tables", Table))


def table_named(name: str) -> Table:
    for table in all_tables():
        if table.name == name:
            return table
    raise DeclarationError(f"no package declares the table {name}")


def replaceable_tables() -> tuple[Table, ...]:
    """The tables in whose place there may be a view."""
    return tuple(table for table in all_tables() if table.replacement)


def normalized_tables() -> tuple[Table, ...]:
    """The tables that hold what events say, and what is derived of it, parents first."""
    return tuple(
        table
        for table in all_tables()
        if table.rows is not None or any(column.rule == DERIVED for column in table.columns)
    )


def in_reference_order(tables: Iterable[Table]) -> tuple[Table, ...]:
    """The tables, parents first and otherwise by name; late references order nothing.

    Raises DeclarationError if a reference names no table, or if references other than late ones form a cycle.
    """
    by_name = {table.name: table for table in sorted(tables, key=lambda one: one.name)}
    for table in by_name.values():
        _refuse_unknown_parents(table, by_name)
    parents = {name: _parents(table) for name, table in by_name.items()}
    return tuple(by_name[name] for name in in_order(parents, "references form a cycle, so one must be late"))


def _parents(table: Table) -> set[str]:
    """The tables that must exist before this one; a reference to itself needs none."""
    references = [column.reference for column in table.columns if column.reference and not column.reference.late]
    return {reference.table for reference in references} - {table.name}


def _refuse_unknown_parents(table: Table, known: Iterable[str]) -> None:
    for column in table.columns:
        if column.reference and column.reference.table not in known:
            raise DeclarationError(
                f"{table.name}.{column.name} refers to {column.reference.table}, which no package declares"
            )
