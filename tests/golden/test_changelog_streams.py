"""Every table of seed 002 (ODF RFC-015), and what its text says of them.

The seed has place 2 at t3 in two of its tables, and at t1 in two others. The score is from t1, so all have t1 here. It
names the old values of the form of one event in two ways; here each begins with `old_`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lineage_core.changelog import Form, Operation, Snapshot, UpsertStream, converted, merge, numbered, replay, validate
from tests.support.record_tables import TIME, cells, read, written

HERE = Path(__file__).parent / "changelog_streams"
BOARDS = ["leaderboard", "emptied_leaderboard"]
PLACE = ("place",)
PLACES = 2
FILES = {
    Form.RETRACT: "retract.md",
    Form.UPSERT: "upsert.md",
    Form.ONE_EVENT: "one_event.md",
    Form.TWO_EVENTS: "two_events.md",
}
LEFT_OUT = ("event_time", "old_event_time")
"""The seed's tables have none, and ours NULL."""


def golden(board: str, form: Form) -> pa.Table:
    return read(HERE / board / FILES[form])


def top(matches: list[dict[str, Any]]) -> pa.Table:
    """The seed's query: the two best scores."""
    best = sorted(matches, key=lambda row: -row["score"])[:PLACES]
    rows = [{"place": place, **row} for place, row in enumerate(best, 1)]
    columns = [("place", pa.int64()), ("match_time", pa.string()), ("player_name", pa.string()), ("score", pa.int64())]
    return pa.Table.from_pylist(rows, schema=pa.schema(columns))


def boards(board: str) -> Iterator[pa.Table]:
    """The leaderboard after each match; the emptied one after the retraction of the first match, too."""
    scores = read(HERE / "leaderboard" / "match_scores.md").to_pylist()
    gone = 1 if board == "emptied_leaderboard" else None
    for match in (1, 2, 3):
        yield top([row for row in scores if row["match_id"] <= match and (match == 1 or row["match_id"] != gone)])
        if match == gone:
            yield top([])


def merged(board: str, strategy: Snapshot) -> list[pa.Table]:
    """The changes of each commit."""
    changes, state = list[pa.Table](), None
    for batch in boards(board):
        changes.append(merge(strategy, state, batch))
        state = replay(changes[-1], state, strategy.primary_key)
    return changes


def retractions_first(changes: pa.Table, form: Form) -> pa.Table:
    """The order of the seed's retract stream within a commit. A conversion keeps each retraction beside its append."""
    if form is not Form.RETRACT:
        return changes
    order = sorted(range(changes.num_rows), key=lambda row: -changes.column("op")[row].as_py())
    return changes.take(pa.array(order, pa.int64()))


@pytest.mark.parametrize("board", BOARDS)
def test_a_snapshot_gives_the_stream_of_two_events(board: str) -> None:
    made = pa.concat_tables(merged(board, Snapshot(PLACE)))
    assert written(made, *LEFT_OUT) == written(golden(board, Form.TWO_EVENTS))


@pytest.mark.parametrize("board", BOARDS)
def test_a_snapshot_without_primary_key_gives_the_retract_stream(board: str) -> None:
    made = pa.concat_tables(merged(board, Snapshot()))
    assert written(made, *LEFT_OUT) == written(golden(board, Form.RETRACT))


@pytest.mark.parametrize(("board", "source", "target"), [*product(BOARDS, Form, Form)])
def test_each_form_becomes_each_other(board: str, source: Form, target: Form) -> None:
    """Commit by commit, as a retraction and a later append are no correction."""
    made, state = list[Any](), None
    for changes in merged(board, Snapshot(PLACE)):
        empty = changes.drop_columns(["op"]).slice(0, 0)
        before = empty if state is None else state
        given = converted(changes, Form.TWO_EVENTS, source, PLACE)
        made += written(retractions_first(converted(given, source, target, PLACE, before), target), *LEFT_OUT)
        state = replay(changes, state, PLACE)
    assert made == written(golden(board, target))


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(("form", "key"), [(Form.TWO_EVENTS, PLACE), (Form.TWO_EVENTS, ()), (Form.RETRACT, PLACE)])
def test_the_stream_replays_to_the_leaderboard(board: str, form: Form, key: tuple[str, ...]) -> None:
    *_, last = boards(board)
    state = replay(golden(board, form), None, key)
    assert sorted(written(state, *LEFT_OUT)) == sorted(written(last))


@pytest.mark.parametrize("board", BOARDS)
def test_the_stream_is_valid_at_each_commit(board: str) -> None:
    state, offset = None, 0
    for changes in merged(board, Snapshot(PLACE)):
        records = numbered(changes, offset, TIME)
        validate(records, state, PLACE, expected_offset=offset)
        state, offset = replay(records, state, PLACE), offset + records.num_rows
    assert offset == golden(board, Form.TWO_EVENTS).num_rows


@pytest.mark.parametrize("board", BOARDS)
def test_an_upsert_stream_is_merged_into_the_stream_of_two_events(board: str) -> None:
    made, state = list[pa.Table](), None
    for changes in merged(board, Snapshot(PLACE)):
        upserts = converted(changes, Form.TWO_EVENTS, Form.UPSERT, PLACE)
        made.append(merge(UpsertStream(PLACE), state, upserts))
        state = replay(changes, state, PLACE)
    assert written(pa.concat_tables(made), *LEFT_OUT) == written(golden(board, Form.TWO_EVENTS))


def test_the_retraction_of_the_first_match_empties_the_leaderboard() -> None:
    first, emptied, *_ = merged("emptied_leaderboard", Snapshot(PLACE))
    assert [code for code, *_ in written(emptied)] == ["-R", "-R"]
    assert replay(emptied, replay(first, None, PLACE), PLACE).num_rows == 0


def test_operations_have_the_numbers_and_codes_of_the_seed() -> None:
    _, rows = cells((HERE / "operations.md").read_text())
    names = [(str(int(one)), one.name.lower().replace("_", "-"), one.code) for one in Operation]
    assert names == [tuple(row) for row in rows]


@pytest.mark.parametrize("board", BOARDS)
def test_a_correction_stands_side_by_side_and_in_order(board: str) -> None:
    codes = [code for code, *_ in written(golden(board, Form.TWO_EVENTS))]
    assert all((one == "-C") == (other == "+C") for one, other in pairwise(codes))
    assert "-C" in codes
