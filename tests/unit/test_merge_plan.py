"""The merge: every table that events fill has its statement, after what it reads."""

from __future__ import annotations

import re

import pytest

from lineage_core import statements
from lineage_core.model.tables import all_tables, normalized_tables
from lineage_core.model.vocabulary import DERIVED, OPERATOR
from lineage_core.normalize.merge_steps import merge_steps

STEPS = merge_steps(all_tables())
SCRIPTS = {step: re.sub(r"--.*", "", statements.named(step)) for step in STEPS}


def place_of_first_write(table: str) -> int:
    writes = re.compile(rf"\bINSERT INTO {table}\b")
    return next(place for place, step in enumerate(STEPS) if writes.search(SCRIPTS[step]))


def test_the_new_events_are_known_before_all_else() -> None:
    assert STEPS[0] == "derive/new_events"


def test_each_statement_runs_once() -> None:
    assert len(set(STEPS)) == len(STEPS)


def filled_tables() -> list[str]:
    """Tables that the statements of this slice of the project fill."""
    written = re.compile(r"\bINSERT INTO (\w+)\b")
    return sorted(
        {name for script in SCRIPTS.values() for name in written.findall(script)}
        & {table.name for table in all_tables()}
    )


def test_every_table_that_events_say_something_of_is_filled() -> None:
    said = {table.name for table in normalized_tables() if table.rows is not None}
    assert said <= set(filled_tables())


@pytest.mark.parametrize("name", filled_tables())
def test_parents_are_written_before_the_rows_that_refer_to_them(name: str) -> None:
    declared = next(table for table in all_tables() if table.name == name)
    for column in declared.columns:
        reference = column.reference
        if reference and not reference.late and reference.table != name and column.rule not in (DERIVED, OPERATOR):
            assert place_of_first_write(reference.table) <= place_of_first_write(name), column.name


def test_a_temporary_table_is_made_before_it_is_read() -> None:
    made = {
        name: place
        for place, step in enumerate(STEPS)
        for name in re.findall(r"CREATE TEMP TABLE (\w+)", SCRIPTS[step])
    }
    assert "new_events" in made
    for place, step in enumerate(STEPS):
        read = {name for name in made if re.search(rf"\b(FROM|JOIN|USING) {name}\b", SCRIPTS[step])}
        assert all(made[name] <= place for name in read), step
