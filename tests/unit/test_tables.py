"""The registry of tables: order of references, and what every declaration owes its readers."""

from __future__ import annotations

import re

import pytest

from lineage_core.declare.leaving import Keeps
from lineage_core.declare.tables import all_tables, in_reference_order, table_named
from lineage_core.declare.vocabulary import KEY, UUID, Column, DeclarationError, Index, Reference, Table


def _table(name: str, *references: Reference) -> Table:
    columns = [Column("uuid", UUID, KEY, "Identity.", nullable=False)]
    columns += [
        Column(f"to_{number}", UUID, KEY, "Parent.", False, reference=to) for number, to in enumerate(references)
    ]
    return Table(name, "A table.", tuple(columns), primary_key=("uuid",))


def _key_columns(index: Index) -> tuple[str, ...]:
    return tuple(part.split()[0] for part in re.split(r",\s*", index.on.strip("()")))


def _keys(declared: Table) -> list[tuple[str, ...]]:
    """The columns of the indexes that keys make."""
    return [unique.columns for unique in declared.unique] + [declared.primary_key] * bool(declared.primary_key)


def test_parents_come_first() -> None:
    child, parent = _table("a_child", Reference("parent")), _table("parent")
    assert in_reference_order([child, parent]) == (parent, child)


def test_a_table_may_refer_to_itself() -> None:
    tree = _table("tree", Reference("tree"))
    assert in_reference_order([tree]) == (tree,)


def test_a_cycle_is_refused() -> None:
    with pytest.raises(DeclarationError, match="cycle"):
        in_reference_order([_table("egg", Reference("hen")), _table("hen", Reference("egg"))])


def test_a_late_reference_breaks_a_cycle() -> None:
    egg, hen = _table("egg", Reference("hen")), _table("hen", Reference("egg", late=True))
    assert in_reference_order([egg, hen]) == (hen, egg)


def test_a_reference_to_no_table_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"child\.to_0 refers to ghost"):
        in_reference_order([_table("child", Reference("ghost"))])


def test_an_unknown_table_is_named() -> None:
    with pytest.raises(DeclarationError, match="ghost"):
        table_named("ghost")


def test_every_reference_comes_after_its_parent_or_late() -> None:
    place = {table.name: number for number, table in enumerate(all_tables())}
    assert [
        f"{table.name}.{column.name}"
        for table in all_tables()
        for column in table.columns
        if column.reference and not column.reference.late and place[column.reference.table] > place[table.name]
    ] == []


def test_everything_has_a_doc_sentence() -> None:
    docs = {
        table.name: [table.doc, *(column.doc for column in table.stored), *(index.doc for index in table.indexes)]
        for table in all_tables()
    }
    wrong = {
        name: [doc for doc in sentences if not re.fullmatch(r"[A-Z`0-9].*\.", doc)] for name, sentences in docs.items()
    }
    assert {name: sentences for name, sentences in wrong.items() if sentences} == {}


def test_every_reference_has_an_index() -> None:
    """Without one, each removal of a parent reads the whole child (marquez-model, section 6)."""
    assert [
        f"{table.name}.{column.name}"
        for table in all_tables()
        for column in table.columns
        if column.reference and column.name not in _leading(table) and not _goes_before_what_it_names(table, column)
    ] == []


def _goes_before_what_it_names(table: Table, column: Column) -> bool:
    """And so is never looked for, as Postgres does not, either."""
    assert column.reference is not None
    kept = [name for word in table.on_leaving(Keeps) if word.table == column.reference.table for name in word.columns]
    return column.name in kept and not column.reference.is_enforced


def _leading(table: Table) -> set[str]:
    """Columns that are the first of an index, and may be searched by it."""
    leading = {columns[0] for columns in _keys(table)}
    for index in table.indexes:
        column = _key_columns(index)[0]
        if index.where in (None, f"{column} IS NOT NULL"):
            leading.add(column)
    return leading


def test_no_index_is_the_beginning_of_another() -> None:
    assert [
        (table.name, index.name)
        for table in all_tables()
        for index in table.indexes
        if index.where is None and not index.unique and _is_the_beginning_of_another(table, index)
    ] == []


def _is_the_beginning_of_another(table: Table, index: Index) -> bool:
    columns = _key_columns(index)
    others = [_key_columns(other) for other in table.indexes if other != index and other.where is None]
    return any(other[: len(columns)] == columns for other in [*_keys(table), *others])
