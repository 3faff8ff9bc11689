"""What goes with what when retention deletes, and the order of it, follow from what the tables declare."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lineage_core.declare.leaving import ChangesWith, GoesWith, Keeps, Leaves, Leaving
from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import KEY, PLATFORM, UUID, Column, DeclarationError, Reference, Table
from lineage_core.retention.phases import phases, searches


def table(name: str, *retention: Leaving, names: str | None = None) -> Table:
    """A table with a uuid, and with a column that names a row of another."""
    reference = [Column("other_uuid", UUID, PLATFORM, "Another.", reference=Reference(names))] if names else []
    columns = (Column("uuid", UUID, KEY, "Its key.", nullable=False), *reference)
    return Table(name, "A table.", columns, primary_key=("uuid",), retention=retention)


def order(*tables: Table) -> list[tuple[str, list[str]]]:
    return [(phase.kind, [step.name for step in phase.steps]) for phase in phases(tables)]


PARENT = table("a_parent", Leaves("leaving_parents_of_a"))


def test_a_row_goes_before_the_one_that_it_names() -> None:
    child = table("children", GoesWith("a_parent", "other_uuid"), names="a_parent")
    assert order(PARENT, child) == [("a_parent", ["children", "a_parent"])]


def test_what_a_row_keeps_goes_behind_it() -> None:
    child = table("z_child", Leaves("leaving_children"), Keeps("a_parent", ("other_uuid",)), names="a_parent")
    assert order(PARENT, child) == [("z_child", ["z_child"]), ("a_parent", ["a_parent"])]


def test_so_does_what_it_keeps_of_the_same_phase() -> None:
    kept = table("names", GoesWith("owners", "uuid"))
    keeper = table("owners", Leaves("leaving_owners"), Keeps("names", ("other_uuid",)), names="names")
    assert order(keeper, kept) == [("owners", ["owners", "names"])]


def test_what_is_left_of_a_table_goes_last() -> None:
    child = table("a_child", Leaves("leaving_children"), GoesWith("a_parent", "other_uuid"), names="a_parent")
    assert [kind for kind, _ in order(PARENT, child)] == ["a_parent", "a_child"]


def test_rows_are_named_no_more_before_they_go() -> None:
    changed = table("a_changed", ChangesWith("a_parent", "x/unname", clears=("a_parent",)), names="a_parent")
    late = table("b_late", ChangesWith("a_parent", "x/name_others", once_gone=True))
    assert order(PARENT, changed, late) == [("a_parent", ["x/unname", "a_parent", "x/name_others"])]


def test_a_reference_that_no_word_covers_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"children\.other_uuid names rows of a_parent, which retention deletes"):
        phases([PARENT, table("children", names="a_parent")])


def test_a_second_reference_to_the_same_table_needs_a_word_of_its_own() -> None:
    child = table("children", GoesWith("a_parent", "uuid"), names="a_parent")
    with pytest.raises(DeclarationError, match=r"children\.other_uuid names rows of a_parent"):
        phases([PARENT, child])


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(DeclarationError, match="children: rows go or change with nothing_known"):
        phases([table("children", GoesWith("nothing_known", "uuid"))])


def test_rows_that_no_plan_counts_are_refused() -> None:
    with pytest.raises(DeclarationError, match="children: no plan counts the rows that x/children deletes"):
        phases([PARENT, table("children", GoesWith("a_parent", statement="x/children"))])


def test_a_circle_is_refused() -> None:
    one = table("ones", Leaves("leaving_ones"), Keeps("twos", ("other_uuid",)), names="twos")
    two = table("twos", Leaves("leaving_twos"), Keeps("ones", ("other_uuid",)), names="ones")
    with pytest.raises(DeclarationError, match="what leaves by retention forms a cycle"):
        phases([one, two])


def test_no_reference_of_a_declared_table_may_be_left_out() -> None:
    """Each word in turn: without it something is refused, or another word says the same of other columns."""
    tables = {one.name: one for one in all_tables()}
    uncovered = 0
    for one in tables.values():
        silent = {**tables, one.name: replace(one, retention=tuple(x for x in one.retention if isinstance(x, Leaves)))}
        refers = {column.reference.table for column in one.columns if column.reference}
        if any(tables[name].retention for name in refers):
            uncovered += 1
            with pytest.raises(DeclarationError, match=rf"{one.name}\.\w+ names rows of"):
                phases(silent.values())
    assert uncovered > 25


def test_a_search_comes_behind_those_whose_tables_it_names() -> None:
    made: set[str] = set()
    everything = {name for search in searches("leaving") for name in search.makes}
    for search in searches("leaving"):
        assert [name for name in everything - made - search.makes if search.names(frozenset({name}))] == []
        made |= search.makes
    assert len(made) > 20
