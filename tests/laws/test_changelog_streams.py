"""The laws of changelog streams: replay is a fold, merges are minimal and idempotent, forms say the same."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lineage_core.changelog import (
    ChangelogStream,
    Form,
    Ledger,
    Operation,
    Snapshot,
    UpsertStream,
    converted,
    logical_hash,
    merge,
    numbered,
    replay,
    validate,
)
from lineage_core.changelog.values import codes
from tests.support.changelog_histories import (
    DATA,
    EPOCH,
    KEY,
    Row,
    arrow,
    consolidated,
    multiset,
    multisets,
    plain,
    streams,
    successors,
    tables,
    values,
)

KEYS = pytest.mark.parametrize("key", [KEY, ()], ids=["by key", "without key"])
laws = settings(max_examples=60)
snapshots = st.lists(tables, min_size=1, max_size=4)


def same_but_for_absent_times(one: pa.Table, other: pa.Table) -> bool:
    return multiset(one, *DATA) == multiset(other, *DATA)


def operations(changes: pa.Table) -> list[Operation]:
    return [Operation(one) for one in changes.column("op").to_pylist()]


def equal(one: pa.Table, other: pa.Table) -> bool:
    """The same rows in the same order."""
    return [plain(row) for row in one.to_pylist()] == [plain(row) for row in other.to_pylist()]


@laws
@given(st.lists(values, max_size=8))
def test_numbers_are_equal_exactly_where_values_are(rows: list[Row]) -> None:
    table = arrow([{"id": 0} | row for row in rows])
    for columns in ([name] for name in table.column_names):
        assert_alike(table.select(columns))
    assert_alike(table)


def assert_alike(table: pa.Table) -> None:
    arrays = [pa.concat_arrays(column.chunks) for column in table.columns if table.num_rows]
    numbers = codes(arrays, table.num_rows).to_pylist()
    rows = [plain(row) for row in table.to_pylist()]
    assert len({*numbers}) == len({*rows}) == len({*zip(numbers, rows, strict=True)})


@KEYS
@laws
@given(data=st.data())
def test_a_merge_replays_to_the_batch(key: tuple[str, ...], data: st.DataObject) -> None:
    old, new = (arrow(data.draw(tables if key else multisets)) for _ in range(2))
    changes = merge(Snapshot(key), old, new)
    assert same_but_for_absent_times(replay(changes, old, key), new)
    after = replay(changes, old, key)
    assert merge(Snapshot(key), after, new).num_rows == 0, "a repeat changes nothing"
    assert merge(Snapshot(key), after, after).num_rows == 0


@laws
@given(st.data())
def test_a_merge_by_key_is_minimal(data: st.DataObject) -> None:
    old = data.draw(tables)
    new = data.draw(successors(old))
    before, after = ({row["id"]: row for row in rows} for rows in (old, new))
    changed = [key for key in before.keys() & after.keys() if is_changed(before[key], after[key])]
    found = Counter(operations(merge(Snapshot(KEY), arrow(old), arrow(new))))
    assert found == +Counter(
        {
            Operation.APPEND: len(after.keys() - before.keys()),
            Operation.RETRACT: len(before.keys() - after.keys()),
            Operation.CORRECT_FROM: len(changed),
            Operation.CORRECT_TO: len(changed),
        }
    )


def is_changed(old: Row, new: Row) -> bool:
    """A time that is absent is no change."""
    timed = new if new["event_time"] is not None else new | {"event_time": old["event_time"]}
    return any(plain(timed[name]) != plain(old[name]) for name in timed)


@laws
@given(multisets, multisets)
def test_a_merge_without_key_is_minimal(old: list[Row], new: list[Row]) -> None:
    changes = merge(Snapshot(), arrow(old), arrow(new))
    before, after = multiset(arrow(old), *DATA), multiset(arrow(new), *DATA)
    found = Counter(operations(changes))
    if all(row["event_time"] is None for row in new):
        assert (found[Operation.RETRACT], found[Operation.APPEND]) == (
            (before - after).total(),
            (after - before).total(),
        )
    assert found.keys() <= {Operation.RETRACT, Operation.APPEND}
    gone = multiset(changes.filter(pa.compute.equal(changes["op"], 1)))
    come = multiset(changes.filter(pa.compute.equal(changes["op"], 0)))
    assert not gone & come


@KEYS
@laws
@given(data=st.data())
def test_a_merge_does_not_depend_on_the_order_of_rows_and_columns(key: tuple[str, ...], data: st.DataObject) -> None:
    old, new = (data.draw(tables) for _ in range(2))
    expected = merge(Snapshot(key), arrow(old), arrow(new))
    shuffled = arrow(data.draw(st.permutations(new))).select(data.draw(st.permutations(["event_time", *DATA])))
    assert equal(merge(Snapshot(key), arrow(data.draw(st.permutations(old))), shuffled), expected)


@KEYS
@laws
@given(history=snapshots, data=st.data())
def test_replay_is_a_fold(key: tuple[str, ...], history: list[list[Row]], data: st.DataObject) -> None:
    """Slices may be cut at any commit, and replay from empty is the state at each."""
    records, state, commits = list[pa.Table](), None, [0]
    for rows in history:
        made = numbered(merge(Snapshot(key), state, arrow(rows)), commits[-1], EPOCH, event_time=EPOCH)
        validate(made, state, key, expected_offset=commits[-1])
        records.append(made)
        state = replay(made, state, key)
        assert same_but_for_absent_times(state, arrow(rows))
        assert equal(replay(pa.concat_tables(records), None, key), state)
        commits.append(commits[-1] + made.num_rows)
    whole = pa.concat_tables(records)
    assert whole.column("offset").to_pylist() == list(range(commits[-1]))
    cut = data.draw(st.sampled_from(commits))
    assert equal(replay(whole.slice(cut), replay(whole.slice(0, cut), None, key), key), replay(whole, None, key))


@laws
@given(streams(), st.data())
def test_any_cut_that_splits_no_pair_gives_the_same_state(
    stream: tuple[list[Row], pa.Table], data: st.DataObject
) -> None:
    before, records = arrow(stream[0]), stream[1]
    cuts = [0, *(n + 1 for n, one in enumerate(operations(records)) if one is not Operation.CORRECT_FROM)]
    cut = data.draw(st.sampled_from(cuts))
    assert equal(
        replay(records.slice(cut), replay(records.slice(0, cut), before, KEY), KEY), replay(records, before, KEY)
    )


@laws
@given(streams())
def test_a_pair_is_adjacent_and_of_one_key(stream: tuple[list[Row], pa.Table]) -> None:
    before, records = arrow(stream[0]), stream[1]
    changes = merge(ChangelogStream(KEY), before, records)
    assert multiset(changes, "op", *DATA) == multiset(records, "op", *DATA), "nothing is added, nothing is lost"
    found, keys = operations(changes), changes.column("id").to_pylist()
    assert keys == sorted(keys)
    for place, one in enumerate(found):
        if one is Operation.CORRECT_FROM:
            assert (found[place + 1], keys[place + 1]) == (Operation.CORRECT_TO, keys[place])
    assert multiset(replay(changes, before, KEY)) == multiset(replay(records, before, KEY))


@laws
@given(streams())
def test_one_event_and_two_events_are_the_same_both_ways(stream: tuple[list[Row], pa.Table]) -> None:
    records = stream[1]
    for key in (KEY, ()):
        single = converted(records, Form.TWO_EVENTS, Form.ONE_EVENT, key)
        back = converted(single, Form.ONE_EVENT, Form.TWO_EVENTS, key)
        assert equal(back, records)
        assert equal(converted(back, Form.TWO_EVENTS, Form.ONE_EVENT, key), single)


@laws
@given(streams())
def test_upsert_and_two_events_are_the_same_both_ways(stream: tuple[list[Row], pa.Table]) -> None:
    before, records = arrow(stream[0]), stream[1]
    upserts = converted(records, Form.TWO_EVENTS, Form.UPSERT, KEY)
    assert equal(converted(upserts, Form.UPSERT, Form.TWO_EVENTS, KEY, before), records)


@laws
@given(tables, tables)
def test_retract_and_two_events_are_the_same_both_ways(old: list[Row], new: list[Row]) -> None:
    records = merge(Snapshot(KEY), arrow(old), arrow(new))
    retracts = converted(records, Form.TWO_EVENTS, Form.RETRACT)
    assert {*operations(retracts)} <= {Operation.APPEND, Operation.RETRACT}
    assert equal(converted(retracts, Form.RETRACT, Form.TWO_EVENTS, KEY), records)


@laws
@given(streams())
def test_all_forms_add_and_take_away_the_same(stream: tuple[list[Row], pa.Table]) -> None:
    before, records = arrow(stream[0]), stream[1]
    expected = consolidated(records)
    for form in Form:
        given_form = converted(records, Form.TWO_EVENTS, form, KEY)
        for target in (Form.RETRACT, Form.TWO_EVENTS):
            assert consolidated(converted(given_form, form, target, KEY, before)) == expected, (form, target)


@laws
@given(tables, multisets)
def test_a_ledger_is_idempotent_and_keeps_what_is_there(old: list[Row], new: list[Row]) -> None:
    before, batch = arrow(old), arrow(list({row["id"]: row for row in new}.values()))
    changes = merge(Ledger(KEY), before, batch)
    after = replay(changes, before, KEY)
    assert merge(Ledger(KEY), after, batch).num_rows == 0
    assert merge(Ledger(KEY), None, pa.concat_tables([batch, batch])).num_rows == batch.num_rows
    assert not multiset(before) - multiset(after)
    assert {*operations(changes)} <= {Operation.APPEND}


@laws
@given(st.data())
def test_upserts_at_once_are_upserts_one_after_the_other(data: st.DataObject) -> None:
    before, *batches = (arrow([row | {"event_time": EPOCH} for row in data.draw(tables)]) for _ in range(3))
    upserts = [
        batch.append_column(
            "op",
            pa.array(
                data.draw(st.lists(st.sampled_from([0, 0, 1]), min_size=batch.num_rows, max_size=batch.num_rows)),
                pa.uint8(),
            ),
        )
        for batch in batches
    ]
    in_turn = before
    for batch in upserts:
        in_turn = replay(merge(UpsertStream(KEY), in_turn, batch), in_turn, KEY)
    changes = merge(UpsertStream(KEY), before, pa.concat_tables(upserts))
    assert multiset(replay(changes, before, KEY)) == multiset(in_turn)
    expected: dict[Any, Row] = {row["id"]: row for row in before.to_pylist()}
    for row in pa.concat_tables(upserts).to_pylist():
        if row.pop("op"):
            expected.pop(row["id"], None)
        else:
            expected[row["id"]] = row
    assert multiset(in_turn) == multiset(arrow(list(expected.values())))


@laws
@given(tables, st.data())
def test_the_logical_hash_is_that_of_the_rows(rows: list[Row], data: st.DataObject) -> None:
    table = arrow(rows)
    cut = data.draw(st.integers(0, table.num_rows))
    assert logical_hash(pa.concat_tables([table.slice(0, cut), table.slice(cut)])) == logical_hash(table)
    other = arrow(data.draw(tables))
    if repr(other.to_pylist()) != repr(table.to_pylist()):
        assert logical_hash(other) != logical_hash(table)
