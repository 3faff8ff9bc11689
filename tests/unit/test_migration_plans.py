"""Ranges, remedies, progress, holds and states of long migrations."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core import statements
from lineage_core.declare.tables import all_tables, replaceable_tables, table_named
from lineage_core.declare.vocabulary import DeclarationError
from lineage_core.errors import NeedsOperator
from lineage_core.long_migrations.decisions.holds import Limits, Signals, reasons
from lineage_core.long_migrations.decisions.pace import estimate
from lineage_core.long_migrations.decisions.ranges import (
    Range,
    Remedy,
    range_halves,
    range_rows,
    ranges,
    remedy,
    retry_delay,
)
from lineage_core.long_migrations.decisions.states import check_command
from lineage_core.long_migrations.declared import (
    LongMigration,
    all_migrations,
    check_replacements,
    long_migration,
)
from lineage_core.long_migrations.tables import RangeState, State


def test_ranges_hold_every_key_once() -> None:
    cut = list(ranges([("c", 3), ("f", 3), ("g", 1)]))
    assert cut == [Range(None, "c", 3), Range("c", "f", 3), Range("f", "g", 1)]
    assert all(one.until == other.after for one, other in pairwise(cut))


def test_nothing_makes_no_range() -> None:
    assert list(ranges([])) == []


@pytest.mark.parametrize(("total", "expected"), [(0, 1_000), (10_000, 1_000), (1_000_000, 15_625), (10**9, 100_000)])
def test_ranges_are_few_for_little_and_bounded_for_much(total: int, expected: int) -> None:
    assert range_rows(total) == expected


def test_a_range_is_tried_three_times_then_split_and_a_single_row_set_aside() -> None:
    assert [remedy(attempts, 10) for attempts in (1, 2, 3)] == [Remedy.AGAIN, Remedy.AGAIN, Remedy.SPLIT]
    assert [remedy(attempts, 1) for attempts in (1, 2, 3)] == [Remedy.AGAIN, Remedy.AGAIN, Remedy.QUARANTINE]


def test_each_failure_waits_longer() -> None:
    assert retry_delay(1) < retry_delay(2) < retry_delay(3) < 5


@given(st.integers(1, 1_000), st.integers(0, 2_000))
def test_halves_hold_the_same_keys_and_rows(rows: int, counted: int) -> None:
    first, second = range_halves(Range("a", "z", rows), "m", counted)
    assert (first.after, first.until, second.after, second.until) == ("a", "m", "m", "z")
    assert first.rows + second.rows == rows
    assert min(first.rows, second.rows) >= 0


@given(st.integers(0, 10**7), st.integers(0, 10**6), st.floats(0.1, 10**6), st.floats(0, 5))
def test_progress_never_exceeds_its_end(done: int, total: int, rate: float, spread: float) -> None:
    estimation = estimate(done, total, rate, spread)
    assert 0 <= estimation.percent <= 100
    assert (estimation.percent == 100) == (done >= total)
    assert estimation.eta_seconds is not None
    assert estimation.eta_seconds_least is not None
    assert estimation.eta_seconds_most is not None
    assert 0 <= estimation.eta_seconds_least <= estimation.eta_seconds <= estimation.eta_seconds_most


def test_without_a_rate_no_one_knows_the_end() -> None:
    assert estimate(10, 100, None, 0).eta_seconds is None
    assert estimate(10, 100, None, 0).percent == 10


@pytest.mark.parametrize(
    ("signals", "signal"),
    [
        (Signals(wal_bytes_per_second=300 * 1024 * 1024), "wal rate"),
        (Signals(archive_queue=43), "archive queue"),
        (Signals(replication_lag_seconds=11), "replication lag"),
        (Signals(vacuumed=("dataset_versions",)), "vacuum"),
        (Signals(transaction_seconds=601), "long transaction"),
        (Signals(active_sessions=21), "active sessions"),
        (Signals(asked=1), "hold query"),
    ],
)
def test_each_signal_holds_alone(signals: Signals, signal: str) -> None:
    (reason,) = reasons(signals, Limits(active_sessions=20))
    assert reason.signal == signal


def test_what_is_not_shown_or_not_limited_holds_nothing() -> None:
    assert reasons(Signals(), Limits()) == []
    much = Signals(10**12, 10**6, 10**6, ("dataset_versions",), 10**6, 10**6)
    assert reasons(much, Limits(None, None, None, False, None, None)) == []


def test_the_drop_needs_everything_before_it() -> None:
    for state in State:
        if state is not State.CUT_OVER:
            with pytest.raises(NeedsOperator, match="finalized, verified and cut over first"):
                check_command("drop", "schema-versions", state)
    check_command("drop", "schema-versions", State.CUT_OVER)


def test_what_is_cut_over_is_not_planned_anew() -> None:
    with pytest.raises(NeedsOperator, match="roll it back"):
        check_command("plan", "schema-versions", State.CUT_OVER)


def test_statements_name_no_states_of_ranges_but_those_that_are_declared() -> None:
    texts = [text for text in statements.of_folder("long_migrations") if "migration_ranges" in text]
    named = {word for text in texts for word in re.findall(r"\bstate (?:=|<>) (?:CASE .* THEN )?'(\w+)'", text)}
    assert named == {state.value for state in RangeState}


@pytest.mark.parametrize("name", all_migrations())
def test_each_long_migration_has_its_statements_and_names_tables_that_are_declared(name: str) -> None:
    migration = long_migration(name)
    wanted = {"session", "step", "forget", "tidy"}
    wanted |= {"verify", "drop"} if migration.replaces else set()
    wanted |= {"waits"} if migration.moves else set()
    assert wanted == set(statements.names(f"long_migrations/{name}"))
    declared = table_named(migration.table)
    assert migration.key in {column.name for column in declared.stored}
    assert set(migration.writes) <= {one.name for one in all_tables()}
    costly = migration.costly.indexes if migration.costly else ()
    assert set(costly) <= {index.name for index in declared.indexes}
    by = migration.replaces.by if migration.replaces else ()
    assert set(by) <= {one.name for one in all_tables()}


REPLACING = long_migration("schema-versions")


@pytest.mark.parametrize(
    ("migrations", "replaceable"),
    [
        ([REPLACING], []),
        ([], ["dataset_versions_field_mapping"]),
        ([long_migration("facets")], ["dataset_versions_field_mapping"]),
        ([REPLACING, replace(REPLACING, name="another")], ["dataset_versions_field_mapping"]),
    ],
)
def test_a_replaceable_table_takes_one_migration_that_replaces_it(
    migrations: list[LongMigration], replaceable: list[str]
) -> None:
    with pytest.raises(DeclarationError, match="each of these takes one migration"):
        check_replacements(migrations, replaceable)


def test_each_replaceable_table_is_replaced_by_the_script_of_its_own_migration() -> None:
    check_replacements(all_migrations().values(), ["dataset_versions_field_mapping"])
    scripts = {
        one.replaces.table: f"long_migrations/{one.name}/drop" for one in all_migrations().values() if one.replaces
    }
    assert {table.name: table.replacement for table in replaceable_tables()} == scripts
