"""The registry of tables: order of references, and what every declaration owes its readers."""

from __future__ import annotations

import re

import pytest

from lineage_core.declare.tables import all_tables, in_reference_order, table_named
from lineage_core.declare.vocabulary import KEY, UUID, Column, DeclarationError, Index, Reference, Table

TABLES = pytest.mark.parametrize("declared", all_tables(), ids=lambda declared: declared.name)


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


@TABLES
def test_every_reference_comes_after_its_parent_or_late(declared: Table) -> None:
    before = [other.name for other in all_tables()[: all_tables().index(declared) + 1]]
    for column in declared.columns:
        if column.reference and not column.reference.late:
            assert column.reference.table in before


@TABLES
def test_everything_has_a_doc_sentence(declared: Table) -> None:
    docs = [declared.doc, *(column.doc for column in declared.stored), *(index.doc for index in declared.indexes)]
    assert [doc for doc in docs if not re.fullmatch(r"[A-Z`0-9].*\.", doc)] == []


@TABLES
def test_every_reference_has_an_index(declared: Table) -> None:
    """Without one, each removal of a parent reads the whole child (marquez-model, section 6)."""
    leading = {columns[0] for columns in _keys(declared)}
    for index in declared.indexes:
        column = _key_columns(index)[0]
        if index.where in (None, f"{column} IS NOT NULL"):
            leading.add(column)
    assert {column.name for column in declared.columns if column.reference} <= leading


@TABLES
def test_no_index_is_the_beginning_of_another(declared: Table) -> None:
    for index in (index for index in declared.indexes if index.where is None):
        columns = _key_columns(index)
        others = [_key_columns(other) for other in declared.indexes if other != index and other.where is None]
        longer = [other for other in [*_keys(declared), *others] if other[: len(columns)] == columns]
        assert index.unique or longer == [], index.name
