"""The order of a merge: sorted from declarations, the same for each order of files, and refused where it is none."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import pytest

from lineage_core import statements
from lineage_core.declare.tables import all_tables, normalized_tables, replaceable_tables
from lineage_core.declare.vocabulary import (
    DERIVED,
    KEY,
    SAME,
    UUID,
    Column,
    DeclarationError,
    OnDelete,
    Reference,
    Table,
)
from lineage_core.model.derivations import DERIVE, Derivation, TemporaryTable, all_derivations, identities
from lineage_core.model.merge_order import MERGE, MergeStep, merge_order
from lineage_core.normalize.store.merging import merge_steps

ORDER = merge_order(all_tables(), all_derivations())


def stars(name: str, *, merged: bool = True, parent: Reference | None = None) -> Table:
    """A table with two columns, merged if events say something of it."""
    column = Column("star_uuid", UUID, SAME if merged else DERIVED, "Its star.", reference=parent)
    return Table(
        name=name,
        doc="Of a test.",
        columns=(Column("uuid", UUID, KEY, "Identity.", nullable=False), column),
        primary_key=("uuid",),
        rows=(lambda event: iter(())) if merged else None,
    )


TABLES = (
    stars("stars"),
    stars("planets", parent=Reference("stars")),
    stars("moons", merged=False, parent=Reference("planets")),
    stars("comets", merged=False, parent=Reference("stars", OnDelete.NO_ACTION)),
    stars("tails", merged=False),
    stars("identity_map", merged=False),
)


def derivation(name: str, *reads: str, makes: str | None = None, **given: tuple[str, ...]) -> Derivation:
    made = (TemporaryTable(makes, "Of a test."),) if makes else ()
    return Derivation(name, "Of a test.", "Always.", reads, made, **given)


def order(*derivations: Derivation) -> list[str]:
    return [step.path for step in merge_order(TABLES, derivations)]


MERGES = ["model/merge/stars", "model/merge/planets"]


def test_parents_are_merged_before_the_rows_that_refer_to_them() -> None:
    assert order() == MERGES


def test_what_is_derived_from_a_table_comes_behind_what_events_say_of_it() -> None:
    assert order(derivation("moons", "stars", writes=("moons",))) == [
        "model/merge/stars",
        "model/merge/planets",
        "model/derive/moons",
    ]
    assert order(derivation("twins", writes=("stars", "planets"))) == [*MERGES, "model/derive/twins"]


def test_a_temporary_table_is_made_before_it_is_used() -> None:
    found = order(derivation("a", "seen", writes=("tails",)), derivation("b", "stars", makes="seen"))
    assert found[-2:] == ["model/derive/b", "model/derive/a"]


def test_what_changes_a_table_comes_before_what_reads_it() -> None:
    found = order(derivation("a", "moons", writes=("tails",)), derivation("b", writes=("moons",)))
    assert found[-2:] == ["model/derive/b", "model/derive/a"]


def test_a_row_comes_behind_the_rows_that_it_refers_to() -> None:
    found = order(
        derivation("a", writes=("comets",)), derivation("b", "comets", writes=("stars",), before=("model/derive/a",))
    )
    assert found[-2:] == ["model/derive/b", "model/derive/a"]
    found = order(derivation("a", writes=("comets",)), derivation("b", writes=("stars",)))
    assert found[-2:] == ["model/derive/b", "model/derive/a"]


def test_a_merge_waits_for_the_identities_that_it_resolves() -> None:
    entity = replace(TABLES[1], columns=(*TABLES[1].columns, Column("moon", UUID, SAME, "Its moon.", entity="moons")))
    known = derivation("known", writes=(identities("moons"),))
    other = derivation("other", writes=(identities("stars"),))
    found = [step.path for step in merge_order((*TABLES[:1], entity, *TABLES[2:]), (known, other))]
    assert found == ["model/merge/stars", "model/derive/known", "model/merge/planets", "model/derive/other"]


def test_before_says_that_a_table_is_used_as_it_was() -> None:
    reader = derivation("reader", "stars", writes=("tails",), before=("model/merge/stars",))
    assert order(reader) == ["model/derive/reader", *MERGES]


def test_a_column_that_is_written_alone_keeps_no_one_waiting_who_does_not_read_it() -> None:
    pointer = derivation("a", "tails", "stars", writes=("stars.star_uuid",))
    assert order(pointer, derivation("b", "stars", writes=("tails",)))[-2:] == ["model/derive/b", "model/derive/a"]
    with pytest.raises(DeclarationError, match=r"model/derive/a and model/derive/b both use stars\.star_uuid, tails"):
        order(pointer, derivation("b", "stars", "stars.star_uuid", writes=("tails",)))


def test_a_column_that_is_written_alone_waits_for_the_rows_that_it_refers_to() -> None:
    parent = derivation("b", writes=("stars",))
    assert order(derivation("a", "comets", writes=("comets.star_uuid",)), parent)[-2:] == [
        "model/derive/b",
        "model/derive/a",
    ]
    assert order(derivation("a", "comets", writes=("comets.uuid",)), parent)[-2:] == [
        "model/derive/a",
        "model/derive/b",
    ]


def test_two_that_change_one_table_in_no_order_are_refused() -> None:
    one, other = derivation("a", writes=("moons",)), derivation("b", writes=("moons",))
    with pytest.raises(
        DeclarationError, match="model/derive/a and model/derive/b both use moons, which one of them changes"
    ):
        order(one, other)
    assert order(one, replace(other, before=("model/derive/a",)))[-2:] == ["model/derive/b", "model/derive/a"]


def test_rows_that_go_with_removed_ones_count_as_changed() -> None:
    gone = derivation("a", removes=("planets",))
    with pytest.raises(DeclarationError, match="model/derive/a and model/derive/b both use moons"):
        order(gone, derivation("b", "moons", writes=("tails",)))
    assert order(gone, derivation("b", removes=("moons",)))[-2:] == ["model/derive/a", "model/derive/b"]
    assert order(derivation("a", removes=("stars",)), derivation("b", "comets", writes=("tails",)))


def test_a_cycle_is_refused_by_name() -> None:
    one = derivation("a", "of_b", makes="of_a")
    other = derivation("b", "of_a", makes="of_b")
    with pytest.raises(DeclarationError, match=r"form a cycle: model/derive/\w -> model/derive/\w -> model/derive/\w"):
        order(one, other)


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        (derivation("a", "pluto", writes=("moons",)), "names pluto"),
        (derivation("a", "staging.moons", writes=("moons",)), r"names staging\.moons"),
        (derivation("a", identities("pluto"), writes=("moons",)), "names identity_map of pluto"),
        (derivation("a", writes=("moons.size",)), r"names moons\.size"),
        (derivation("a", writes=("moons",), before=("model/derive/pluto",)), "before model/derive/pluto"),
        (derivation("a", makes="moons"), "makes moons, a name that another table has"),
    ],
)
def test_what_no_one_declares_is_refused(wrong: Derivation, named: str) -> None:
    with pytest.raises(DeclarationError, match=named):
        order(wrong)


def test_a_derivation_does_not_name_twice_what_it_changes() -> None:
    with pytest.raises(DeclarationError, match="reads moons, which it makes or changes"):
        derivation("a", "moons", writes=("moons",))
    with pytest.raises(DeclarationError, match="nothing needs it"):
        derivation("a", "moons")


def test_one_that_may_be_left_out_makes_nothing_that_others_need() -> None:
    tables = (*TABLES[:2], replace(TABLES[2], replacement="moons/drop"), *TABLES[3:])
    merge_order(tables, [derivation("a", writes=("moons",))])
    with pytest.raises(DeclarationError, match="a may be left out, so it cannot make seen"):
        merge_order(tables, [derivation("a", writes=("moons",), makes="seen")])


def test_the_order_of_files_makes_no_difference() -> None:
    assert merge_order(reversed(all_tables()), reversed(all_derivations())) == ORDER


def test_each_statement_has_its_file_and_runs_once() -> None:
    paths = [step.path for step in ORDER]
    files = [f"{folder}/{name}" for folder in (MERGE, DERIVE) for name in statements.names(folder)]
    assert sorted(paths) == sorted(files)


def test_every_table_that_events_say_something_of_is_written() -> None:
    of_events = {table.name for table in normalized_tables() if table.rows is not None}
    assert of_events <= {name for step in ORDER for name in step.writes}


def test_steps_are_left_out_whose_tables_are_views() -> None:
    replaced = [table.name for table in replaceable_tables()]
    left_out = set(merge_steps()) - set(merge_steps(replaced))
    assert left_out == {"model/derive/dataset_versions_field_mapping"}


def test_steps_are_left_out_that_would_take_in_no_row() -> None:
    """A derivation may have work though nothing is staged, as a version that was read moves by what was written."""
    all_steps = set(merge_steps())
    assert all_steps - set(merge_steps(staged={"runs": 1})) == {
        step for step in all_steps if step.startswith(f"{MERGE}/") and step != f"{MERGE}/runs"
    }
    assert merge_steps(staged={name: 1 for name in statements.names(MERGE)}) == merge_steps()


def test_a_step_that_may_be_left_out_reads_staged_rows_of_its_own_table_alone() -> None:
    for step in ORDER:
        if step.merges is not None:
            assert set(re.findall(r"\{staging\}\.(\w+)", statements.named(step.path))) == {step.merges}


def test_no_step_depends_on_the_names_of_others_for_its_place() -> None:
    """Where one changes what another uses, the declarations alone say which comes first."""
    renamed = {
        f"model/derive/{one.name}": f"model/derive/{number:02}"
        for number, one in enumerate(reversed(all_derivations()))
    }
    again = merge_order(all_tables(), [_renamed(one, renamed) for one in all_derivations()])
    places = {step.path: place for place, step in enumerate(again)}
    for one, other in combinations(ORDER, 2):
        if _share(one, other):
            assert places[renamed.get(one.path, one.path)] < places[renamed.get(other.path, other.path)]


def _renamed(one: Derivation, names: dict[str, str]) -> Derivation:
    before = tuple(names.get(path, path) for path in one.before)
    return replace(one, name=names[f"model/derive/{one.name}"].removeprefix("model/derive/"), before=before)


def _share(one: MergeStep, other: MergeStep) -> bool:
    return bool(one.changes & other.uses or other.changes & one.uses or one.makes & other.uses)
