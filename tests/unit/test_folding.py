"""A fold is a semilattice: for no table do order, repeats or grouping of its mentions matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import (
    BYTEA,
    KEY,
    SAME,
    TEXT,
    Column,
    DeclarationError,
    Earliest,
    Newest,
    Row,
    Table,
    varchar,
)
from lineage_core.errors import RejectedEvent
from lineage_core.model.folding import Fold, RowMaker
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import Document, dataset, facet, run_event, to_json
from tests.support.event_sets import events

FOLDED = [table for table in all_tables() if table.rows is not None and not table.append]
GIVEN = settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])

STAMPED = st.tuples(events, st.booleans())
"""A document, and whether its time was ahead of its receipt."""


def rows(table: Table, document: Document, is_ahead: bool = False) -> list[dict[str, Any]]:
    event: Event = parse(to_json(document), is_ahead=is_ahead)
    return list(RowMaker(table).rows(event))


def folded(table: Table, *groups: Iterable[Row]) -> list[Row]:
    """The fold of all groups: each on its own, then what came of them, as parts of a slice are."""
    whole = Fold(table)
    for group in groups:
        part = Fold(table)
        for row in group:
            part.add(row)
        for row in part.rows():
            whole.add(row)
    return sorted(whole.rows(), key=repr)


def all_rows(table: Table, stamped: Sequence[tuple[Document, bool]]) -> list[Row]:
    return [row for document, is_ahead in stamped for row in rows(table, document, is_ahead)]


def complete(table: Table, found: list[Row]) -> list[dict[str, Any]]:
    """With null where a row leaves a column out, which is what is staged."""
    names = [column.name for column in table.staged]
    return sorted(({name: row.get(name) for name in names} for row in found), key=repr)


@GIVEN
@given(stamped=st.lists(STAMPED, max_size=6), data=st.data())
def test_order_repeats_and_grouping_do_not_matter_for_any_table(
    stamped: list[tuple[Document, bool]], data: st.DataObject
) -> None:
    repeated = stamped + data.draw(st.lists(st.sampled_from(stamped), max_size=2) if stamped else st.just([]))
    mixed = data.draw(st.permutations(repeated))
    border = data.draw(st.integers(0, len(mixed)))
    for table in FOLDED:
        once = folded(table, all_rows(table, stamped))
        again = folded(table, all_rows(table, mixed[:border]), all_rows(table, mixed[border:]))
        assert complete(table, again) == complete(table, once), table.name


@GIVEN
@given(stamped=st.lists(STAMPED, min_size=1, max_size=6))
def test_what_is_declared_the_same_for_a_key_is_the_same(stamped: list[tuple[Document, bool]]) -> None:
    """The merge takes the value of any mention."""
    for table in FOLDED:
        key, same = ([column.name for column in table.columns if column.rule == rule] for rule in (KEY, SAME))
        by_key: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        for row in all_rows(table, stamped):
            values = tuple(row.get(name) for name in same)
            assert by_key.setdefault(tuple(row[name] for name in key), values) == values, table.name


NEWEST, FIRST = Newest("newest_event"), Earliest("first_event")


def small(*columns: Column) -> Table:
    key = Column("key", TEXT, KEY, "Key.", nullable=False)
    return Table("small", "A table.", (key, *columns), rows=lambda _event: iter(()))


VALUES = small(
    Column("last", TEXT, NEWEST, "Newest."),
    Column("last_too", TEXT, NEWEST, "Newest, too."),
    Column("first", TEXT, FIRST, "Earliest."),
)


def fold_of(*found: Row) -> Row:
    (row,) = folded(VALUES, [{"key": "k"} | row for row in found])
    return row


def test_the_columns_of_a_group_come_from_one_event() -> None:
    """The newest wins also with nothing: what it leaves out is gone, as in Marquez."""
    row = fold_of(
        {"last": "a", "last_too": "b", "newest_event": b"1"},
        {"last": "c", "last_too": None, "newest_event": b"2"},
    )
    assert (row["last"], row["last_too"]) == ("c", None)


def test_the_earliest_event_wins_the_first_column() -> None:
    row = fold_of({"first": "late", "first_event": b"2"}, {"first": "early", "first_event": b"1"})
    assert (row["first"], row["first_event"]) == ("early", b"1")


def test_a_row_that_leaves_a_group_out_takes_no_part_in_it() -> None:
    row = fold_of({"last": "a", "newest_event": b"1"}, {"first": "b", "first_event": b"9"})
    assert (row["last"], row["newest_event"], row["first"]) == ("a", b"1", "b")


def test_within_one_event_the_later_row_is_the_newest_and_the_earlier_one_the_first() -> None:
    row = fold_of(
        {"last": "a", "newest_event": b"1", "first": "a", "first_event": b"1"},
        {"last": "b", "newest_event": b"1", "first": "b", "first_event": b"1"},
    )
    assert (row["last"], row["first"]) == ("b", "a")


def test_a_fold_counts_its_keys() -> None:
    fold = Fold(VALUES)
    for key in ("a", "b", "a"):
        fold.add({"key": key, "least": 0, "greatest": 0})
    assert len(fold) == 2


def _written(event: Event) -> Any:
    yield {"key": "k", "last": event.event_type, "first": event.event_type}
    yield {"key": "k", "short": "x" * len(event.producer)}


MADE = Table(
    "made",
    "A table.",
    (
        Column("key", TEXT, KEY, "Key.", nullable=False),
        Column("last", TEXT, NEWEST, "Newest."),
        Column("first", TEXT, FIRST, "Earliest."),
        Column("short", varchar(30), Newest("short_event"), "Short."),
    ),
    rows=_written,
)


def test_rows_bear_the_order_of_their_event_for_each_group_that_they_take_part_in() -> None:
    event = parse(to_json(run_event()), is_ahead=True)
    one, other = RowMaker(MADE).rows(event)
    assert (one["newest_event"], one["first_event"], "short_event" in one) == (event.newest_order, event.order, False)
    assert (other["short_event"], "newest_event" in other) == (event.newest_order, False)


def test_a_value_that_does_not_fit_its_column_refuses_the_event() -> None:
    with pytest.raises(RejectedEvent, match=r"made\.short takes 30 characters, this has 31"):
        rows(MADE, run_event() | {"producer": "p" * 31})


@pytest.mark.parametrize(
    "facets",
    [
        {"symlinks": facet(identifiers=[{"namespace": "n", "name": "x" * 3_000}])},
        {"dataSource": facet(name="x" * 3_000)},
        {"lifecycleStateChange": facet(lifecycleStateChange="x" * 64)},
        {"schema": facet(fields=[{"name": "x" * 256}])},
        {"schema": facet(fields=[{"type": "INT"}])},
    ],
    ids=lambda facets: next(iter(facets)),
)
def test_some_table_refuses_what_the_database_would(facets: dict[str, Document]) -> None:
    """Else one such event would stop every slice that it is in."""
    document = run_event(outputs=[dataset(facets=facets)])
    with pytest.raises(RejectedEvent):
        for table in all_tables():
            if table.rows is not None:
                rows(table, document)


def test_a_folded_table_needs_a_key() -> None:
    with pytest.raises(DeclarationError, match="KEY"):
        Table("keyless", "A table.", (Column("a", BYTEA, SAME, "A."),), rows=lambda _event: iter(()))
