"""Merge strategies, with the defects by name that other implementations of them have."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from lineage_core.changelog import (
    Append,
    Changelog,
    ChangelogStream,
    DatasetVocabulary,
    Ledger,
    MergeStrategy,
    Snapshot,
    UpsertStream,
    merge,
    merge_strategy,
    numbered,
    replay,
)
from lineage_core.errors import BrokenStream, WrongUsage
from tests.support.record_tables import TIME, table, written

KEY = ("id",)
KEYED = [Ledger(KEY), Snapshot(KEY), UpsertStream(KEY)]


def rows(*values: tuple[Any, ...], names: str = "id value", types: tuple[pa.DataType, ...] = ()) -> pa.Table:
    kinds = types or (pa.int64(), pa.string())
    columns = names.split()
    return pa.table(
        [pa.array([row[place] for row in values], kind) for place, kind in enumerate(kinds)],
        schema=pa.schema(list(zip(columns, kinds, strict=True))),
    )


def at(day: int) -> datetime:
    return datetime(2026, 6, day, tzinfo=UTC)


def timed(*values: tuple[Any, ...]) -> pa.Table:
    return rows(*values, names="id value event_time", types=(pa.int64(), pa.string(), pa.timestamp("us", tz="UTC")))


def changes(strategy: MergeStrategy, state: pa.Table | None, batch: pa.Table) -> list[tuple[Any, ...]]:
    return written(merge(strategy, state, batch), "event_time")


def test_append_adds_every_row_in_the_order_of_event_time() -> None:
    batch = timed((1, "c", at(3)), (2, "a", None), (1, "c", at(3)), (3, "b", at(1)))
    assert changes(Append(), None, batch) == [("+A", 3, "b"), ("+A", 1, "c"), ("+A", 1, "c"), ("+A", 2, "a")]


def test_a_ledger_adds_new_keys_alone() -> None:
    state = rows((1, "a"), (2, "b"))
    assert changes(Ledger(KEY), state, rows((3, "c"), (2, "changed"))) == [("+A", 3, "c")]
    assert changes(Ledger(KEY), state, rows()) == []


def test_a_ledger_takes_a_repeated_row_once_and_refuses_two_rows_of_a_key() -> None:
    assert changes(Ledger(KEY), None, rows((1, "a"), (1, "a"))) == [("+A", 1, "a")]
    with pytest.raises(WrongUsage, match="two rows with the key id = 1"):
        merge(Ledger(KEY), None, rows((1, "a"), (1, "b")))


def test_a_snapshot_appends_corrects_and_retracts_in_the_order_of_keys() -> None:
    state = rows((1, "a"), (2, "b"), (3, "c"))
    assert changes(Snapshot(KEY), state, rows((4, "d"), (3, "c"), (2, "B"))) == [
        ("-R", 1, "a"),
        ("-C", 2, "b"),
        ("+C", 2, "B"),
        ("+A", 4, "d"),
    ]


def test_a_snapshot_without_primary_key_counts_equal_rows() -> None:
    state = rows((1, "a"), (1, "a"), (2, "b"), (3, None))
    batch = rows((1, "a"), (2, "b"), (2, "b"), (3, None))
    assert changes(Snapshot(), state, batch) == [("-R", 1, "a"), ("+A", 2, "b")]


def test_a_snapshot_compares_the_columns_that_it_is_given() -> None:
    names, types = "id value seen", (pa.int64(), pa.string(), pa.int64())
    state = rows((1, "a", 1), (2, "b", 1), names=names, types=types)
    batch = rows((1, "a", 2), (2, "B", 2), names=names, types=types)
    strategy = Snapshot(KEY, compare_columns=("value",))
    assert changes(strategy, state, batch) == [("-C", 2, "b", 1), ("+C", 2, "B", 2)]


def test_what_is_corrected_away_is_what_the_stream_stated_last_not_what_the_source_had() -> None:
    """The first batch changes a column that is not compared. The second one must retract what was published."""
    names, types = "id value seen", (pa.int64(), pa.string(), pa.int64())
    strategy, state = Snapshot(KEY, compare_columns=("value",)), rows((1, "a", 1), names=names, types=types)
    for batch in (rows((1, "a", 2), names=names, types=types), rows((1, "b", 3), names=names, types=types)):
        made = merge(strategy, state, batch)
        state = replay(made, state, KEY)
    assert written(made, "event_time") == [("-C", 1, "a", 1), ("+C", 1, "b", 3)]


def test_an_upsert_takes_the_last_record_of_a_key() -> None:
    batch = table("|op|id|value|\n|-|-|-|\n|+A|1|x|\n|-R|1|x|\n|+A|2|y|\n|+A|1|z|\n|+A|3|c|\n|-R|3|?|\n|-R|9|?|")
    batch = batch.set_column(1, "id", batch.column("id").cast(pa.int64()))
    state = rows((1, "a"), (2, "y"), (3, "c"))
    assert changes(UpsertStream(KEY), state, batch) == [("-C", 1, "a"), ("+C", 1, "z"), ("-R", 3, "c")]


def test_an_upsert_without_operations_appends() -> None:
    assert changes(UpsertStream(KEY), rows((1, "a")), rows((2, "b"), (1, "A"))) == [
        ("-C", 1, "a"),
        ("+C", 1, "A"),
        ("+A", 2, "b"),
    ]


def test_an_upsert_stream_has_no_corrections() -> None:
    with pytest.raises(WrongUsage, match=r"this batch has \+C and -C: use ChangelogStream"):
        merge(UpsertStream(("place",)), None, table("|op|place|\n|-|-|\n|-C|1|\n|+C|1|"))


def test_several_changes_of_one_key_in_a_slice_stay_in_their_order() -> None:
    """Sorted by key and operation they would be -C -C +C +C."""
    batch = table("|op|place|score|\n|-|-|-|\n|-C|2|1|\n|+C|2|2|\n|+A|1|7|\n|-C|2|2|\n|+C|2|3|")
    state = table("|place|score|\n|-|-|\n|2|1|")
    assert changes(ChangelogStream(("place",)), state, batch) == [
        ("+A", 1, 7),
        ("-C", 2, 1),
        ("+C", 2, 2),
        ("-C", 2, 2),
        ("+C", 2, 3),
    ]


def test_a_retraction_before_an_append_of_its_key_stays_before_it() -> None:
    """Sorted by key and operation it would come after it."""
    batch = table("|op|place|score|\n|-|-|-|\n|-R|2|1|\n|+A|2|5|")
    assert changes(ChangelogStream(("place",)), table("|place|score|\n|-|-|\n|2|1|"), batch) == [
        ("-R", 2, 1),
        ("+A", 2, 5),
    ]


@pytest.mark.parametrize(
    ("records", "rule"),
    [
        ("|-R|1|7|", "is live, with the same values"),
        ("|+A|2|5|", "only while it is absent"),
        ("|-C|2|1|\n|+C|3|1|", "have the same key"),
        ("|+A|3|1|\n|-C|2|1|", "at once followed by its"),
    ],
)
def test_a_changelog_stream_that_does_not_follow_from_the_state_is_refused(records: str, rule: str) -> None:
    batch, state = table(f"|op|place|score|\n|-|-|-|\n{records}"), table("|place|score|\n|-|-|\n|2|1|")
    with pytest.raises(BrokenStream, match=rule):
        merge(ChangelogStream(("place",)), state, batch)


@pytest.mark.parametrize("strategy", [Snapshot(KEY)])
@pytest.mark.parametrize("value", ["a", "b"])
def test_a_key_that_a_snapshot_has_twice_is_refused(strategy: MergeStrategy, value: str) -> None:
    """In a join it would multiply rows."""
    with pytest.raises(WrongUsage, match="The batch has two rows with the key id = 1: a key names one row"):
        merge(strategy, None, rows((1, "a"), (2, "x"), (1, value)))
    with pytest.raises(WrongUsage, match="The state has two rows"):
        merge(strategy, rows((1, "a"), (1, value)), rows())
    with pytest.raises(WrongUsage, match="The batch has two rows"):
        merge(strategy, rows((1, "a")), rows((1, "a"), (1, value)))
    with pytest.raises(WrongUsage, match="The state has two rows"):
        merge(strategy, rows((1, "a"), (1, value)), rows((1, "a")))


@pytest.mark.parametrize("strategy", KEYED, ids=lambda one: type(one).__name__)
def test_null_in_a_key_is_refused(strategy: MergeStrategy) -> None:
    """Plain equality would never match it."""
    with pytest.raises(WrongUsage, match=r"`id` is in the primary key and must not be NULL: .*value = 'x'"):
        merge(strategy, None, rows((1, "a"), (None, "x")))
    with pytest.raises(WrongUsage, match="must not be NULL"):
        merge(strategy, rows((None, "x")), rows())


@pytest.mark.parametrize("kind", [pa.float64(), pa.list_(pa.int64()), pa.struct([("a", pa.int64())])], ids=str)
def test_a_key_has_an_exact_order(kind: pa.DataType) -> None:
    with pytest.raises(WrongUsage, match="`id` cannot be in a primary key"):
        merge(Snapshot(KEY), None, rows(types=(kind, pa.string())))


SAME = {
    "NULL": (pa.float64(), None, None),
    "NaN": (pa.float64(), float("nan"), -float("nan")),
    "zero": (pa.float64(), 0.0, -0.0),
    "zero, single": (pa.float32(), 0.0, -0.0),
    "decimals": (pa.decimal128(10, 3), Decimal("1.1"), Decimal("1.100")),
    "NaN in a list": (pa.list_(pa.float32()), [1.0, float("nan"), None], [1.0, float("nan"), None]),
    "zero in a struct": (pa.struct([("a", pa.float64())]), {"a": 0.0}, {"a": -0.0}),
    "empty lists": (pa.list_(pa.string()), [], []),
    "maps": (pa.map_(pa.string(), pa.int64()), [("a", 1)], [("a", 1)]),
    "lists of a fixed size": (pa.list_(pa.int64(), 2), [1, 2], [1, 2]),
    "nothing": (pa.null(), None, None),
}
DIFFERENT = {
    "NULL and zero": (pa.float64(), None, 0.0),
    "NULL and NaN": (pa.float64(), None, float("nan")),
    "NULL and an empty text": (pa.string(), None, ""),
    "NULL and an empty list": (pa.list_(pa.int64()), None, []),
    "NULL and NULL in a struct": (pa.struct([("a", pa.int64())]), None, {"a": None}),
    "NULL and NULL in a list": (pa.list_(pa.int64()), [], [None]),
    "a list divided otherwise": (pa.list_(pa.list_(pa.int64())), [[1], [2]], [[1, 2]]),
    "texts by case": (pa.string(), "a", "A"),
    "decimals": (pa.decimal128(10, 3), Decimal("1.1"), Decimal("1.101")),
    "microseconds": (pa.timestamp("us", tz="UTC"), TIME, TIME + timedelta(microseconds=1)),
    "map entries": (pa.map_(pa.string(), pa.int64()), [("a", 1)], [("a", 2)]),
}


@pytest.mark.parametrize("what", SAME)
@pytest.mark.parametrize("key", [KEY, ()])
def test_what_is_the_same_value_is_no_change(what: str, key: tuple[str, ...]) -> None:
    kind, old, new = SAME[what]
    types = (pa.int64(), kind)
    assert changes(Snapshot(key), rows((1, old), types=types), rows((1, new), types=types)) == []


@pytest.mark.parametrize("what", DIFFERENT)
@pytest.mark.parametrize("key", [KEY, ()])
def test_what_is_another_value_is_a_change(what: str, key: tuple[str, ...]) -> None:
    kind, *values = DIFFERENT[what]
    types = (pa.int64(), kind)
    for old, new in (values, values[::-1]):
        made = changes(Snapshot(key), rows((1, old), types=types), rows((1, new), types=types))
        assert [code for code, *_ in made] == (["-C", "+C"] if key else ["-R", "+A"])


def test_a_text_may_be_held_in_another_way() -> None:
    held = rows((1, "a"), (2, "b"))
    encoded = held.set_column(1, "value", held.column("value").combine_chunks().dictionary_encode())
    large = held.set_column(1, "value", held.column("value").cast(pa.large_string()))
    for one in (large, encoded):
        assert changes(Snapshot(KEY), held, one) == []


@pytest.mark.parametrize("key", [KEY, ()])
def test_an_event_time_that_is_absent_is_no_change(key: tuple[str, ...]) -> None:
    state = timed((1, "a", at(1)), (2, "b", at(1)))
    assert merge(Snapshot(key), state, timed((1, "a", None), (2, "b", at(1)))).num_rows == 0
    assert merge(Snapshot(key), state, rows((1, "a"), (2, "b"))).num_rows == 0
    assert merge(Snapshot(key), state, timed((1, "a", at(2)), (2, "b", at(1)))).num_rows == 2


def test_what_is_corrected_away_has_the_old_event_time() -> None:
    made = merge(Snapshot(KEY), timed((1, "a", at(1))), timed((1, "b", at(2))))
    assert made.column("event_time").to_pylist() == [at(1), at(2)]
    assert merge(Snapshot(KEY), timed((1, "a", at(1))), timed()).column("event_time").to_pylist() == [at(1)]


def test_an_absent_event_time_is_filled_where_a_row_is_new_alone() -> None:
    made = merge(Snapshot(KEY), timed((1, "a", None), (2, "b", None)), timed((1, "A", None), (3, "c", None)))
    filled = numbered(made, 10, TIME, event_time=at(9))
    assert [(row["offset"], row["op"], row["event_time"]) for row in filled.to_pylist()] == [
        (10, 2, None),
        (11, 3, at(9)),
        (12, 1, None),
        (13, 0, at(9)),
    ]
    assert {*filled.column("system_time").to_pylist()} == {TIME}


def test_the_order_of_rows_and_of_columns_makes_no_difference() -> None:
    chance = random.Random(1)
    state = [(n, chance.choice("ab")) for n in range(50)]
    batch = [(n, chance.choice("ab")) for n in range(25, 75)]
    for strategy in (Snapshot(KEY), Snapshot(), Ledger(KEY), Append()):
        expected = changes(strategy, rows(*state), rows(*batch))
        for _ in range(3):
            shuffled = rows(*chance.sample(batch, 50)).select(["value", "id"])
            assert changes(strategy, rows(*chance.sample(state, 50)), shuffled) == expected


def test_system_columns_may_have_other_names() -> None:
    changelog = Changelog(DatasetVocabulary(operation_type="operation", offset="position"))
    batch = rows((1, "x"), names="op offset")
    made = changelog.merge(Snapshot(("op",)), rows((1, "y"), names="op offset"), batch)
    assert changelog.numbered(made, 0, TIME).select(["position", "operation", "op", "offset"]).to_pylist() == [
        {"position": 0, "operation": 2, "op": 1, "offset": "y"},
        {"position": 1, "operation": 3, "op": 1, "offset": "x"},
    ]
    with pytest.raises(WrongUsage, match="choose another name for the system column in the DatasetVocabulary"):
        merge(Snapshot(("op",)), None, batch)


@pytest.mark.parametrize(
    ("batch", "message"),
    [
        (rows((1, "a"), names="id other"), "it adds other and lacks value. Evolve the schema first"),
        (rows((1, 2), types=(pa.int64(), pa.int64())), "`value` is int64 in the batch and string in the state"),
        (rows((1, "a"), types=(pa.int32(), pa.string())), "`id` is int32 in the batch"),
    ],
)
def test_other_columns_than_those_of_the_state_are_refused(batch: pa.Table, message: str) -> None:
    with pytest.raises(WrongUsage, match=message):
        merge(Snapshot(KEY), rows((1, "a")), batch)


def test_a_column_that_is_never_null_stays_so_and_keeps_what_its_field_says() -> None:
    field = pa.field("value", pa.string(), nullable=False, metadata={"PARQUET:field_id": "7"})
    state = rows((1, "a")).cast(pa.schema([pa.field("id", pa.int64()), field]))
    made = numbered(merge(Snapshot(KEY), state, rows((1, "b"))), 0, TIME)
    assert made.schema.field("value").equals(field, check_metadata=True)
    with pytest.raises(WrongUsage, match="`value` is never NULL in the state, and is NULL in 1 rows of the batch"):
        merge(Snapshot(KEY), state, rows((1, None)))


def test_an_event_time_may_be_a_date() -> None:
    types = (pa.int64(), pa.date32())
    batch = rows((1, date(2026, 6, 2)), names="id event_time", types=types)
    made = merge(Snapshot(KEY), rows((1, date(2026, 6, 1)), names="id event_time", types=types), batch)
    assert made.column("event_time").to_pylist() == [date(2026, 6, 1), date(2026, 6, 2)]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Ledger(()), "Ledger needs a primary key"),
        (lambda: UpsertStream(()), "UpsertStream needs a primary key"),
        (lambda: ChangelogStream(()), "ChangelogStream needs a primary key"),
        (lambda: Snapshot((), ("a",)), "whole rows are compared"),
        (lambda: Snapshot(("a",), ("a",)), "not in the primary key"),
        (lambda: Snapshot(("a",), ()), "one or more columns"),
        (lambda: merge(Snapshot(("nothing",)), None, rows()), "There is no column nothing; there are"),
        (lambda: merge(Snapshot(KEY, ("nothing",)), None, rows()), "There is no column nothing"),
        (lambda: merge_strategy({"kind": "Merge"}), "There is no merge strategy 'Merge'; there are Append, Ledger"),
        (lambda: merge_strategy({"kind": "Append", "primaryKey": ["a"]}), "Append has no primaryKey"),
        (lambda: merge_strategy({"kind": "Ledger"}), "Ledger needs a primaryKey"),
    ],
)
def test_a_strategy_that_cannot_be_is_refused(make: Any, message: str) -> None:
    with pytest.raises(WrongUsage, match=message):
        make()


@pytest.mark.parametrize(
    ("manifest", "strategy"),
    [
        ({"kind": "Append"}, Append()),
        ({"kind": "Ledger", "primaryKey": ["id"]}, Ledger(KEY)),
        ({"kind": "Snapshot", "primaryKey": ["id"], "compareColumns": ["a"]}, Snapshot(KEY, ("a",))),
        ({"kind": "Snapshot", "primaryKey": ["id"], "compareColumns": None}, Snapshot(KEY)),
        ({"kind": "Snapshot"}, Snapshot()),
        ({"kind": "UpsertStream", "primaryKey": ["id"]}, UpsertStream(KEY)),
        ({"kind": "ChangelogStream", "primaryKey": ["id"]}, ChangelogStream(KEY)),
    ],
)
def test_a_strategy_is_read_from_its_manifest(manifest: dict[str, Any], strategy: MergeStrategy) -> None:
    assert merge_strategy(manifest) == strategy


@pytest.mark.parametrize("key", ["observationColumn", "obsvAdded", "obsvChanged", "obsvRemoved"])
def test_the_vocabulary_of_observations_is_refused(key: str) -> None:
    with pytest.raises(WrongUsage, match=f"{key}: The `obsv` column .* were replaced by the operation column `op`"):
        merge_strategy({"kind": "Snapshot", "primaryKey": ["id"], key: "obsv"})
