"""Views are made in an order in which each finds what it reads."""

from __future__ import annotations

import pytest

from lineage_core.declare.views import View, all_views, in_reading_order
from lineage_core.declare.vocabulary import DeclarationError


def view(name: str, *reads: str) -> View:
    return View(name, "What it has.", "readers", reads)


def test_a_view_comes_behind_those_that_it_reads() -> None:
    ordered = in_reading_order([view("a", "b", "stars"), view("b", "c"), view("c", "stars")], {"stars"})
    assert [one.name for one in ordered] == ["c", "b", "a"]


def test_what_is_neither_table_nor_view_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"a reads \['moons'\]"):
        in_reading_order([view("a", "moons", "stars")], {"stars"})


def test_views_that_read_each_other_are_refused() -> None:
    with pytest.raises(DeclarationError, match="read each other: "):
        in_reading_order([view("a", "b"), view("b", "a")], set())


def test_a_view_of_the_store_reads_views_before_it() -> None:
    names = [one.name for one in all_views()]
    assert names.index("jobs_view") < names.index("runs_view")
