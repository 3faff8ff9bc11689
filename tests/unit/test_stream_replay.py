"""Replay and validation: each rule of a changelog stream, and the record that breaks it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pyarrow as pa
import pytest

from lineage_core.changelog import ChangelogStream, merge, numbered, replay, validate
from lineage_core.errors import BrokenStream, WrongUsage
from tests.support.record_tables import TIME, table, written

PLACE = ("place",)


def records(text: str) -> pa.Table:
    return table(f"|op|place|player|\n|-|-|-|\n{text}")


STATE = table("|place|player|\n|-|-|\n|1|Ann|\n|2|Bob|")


def test_a_state_keeps_the_order_of_first_appends() -> None:
    state = replay(records("|+A|3|Ann|\n|-C|1|Ann|\n|+C|1|Eve|\n|-R|2|Bob|\n|+A|2|Bob|"), STATE, PLACE)
    assert written(state, "event_time") == [(1, "Eve"), (3, "Ann"), (2, "Bob")]


def test_without_a_key_a_state_is_a_multiset() -> None:
    state = replay(records("|+A|1|Ann|\n|+A|1|Ann|\n|+A|2|Bob|\n|-R|1|Ann|\n|-C|2|Bob|\n|+C|7|Eve|"))
    assert written(state, "event_time") == [(1, "Ann"), (7, "Eve")]


BROKEN: dict[str, tuple[str, int, str]] = {
    "a live key is appended": ("|+A|3|Eve|\n|+A|1|Eve|", 11, "a key is appended only while it is absent"),
    "an absent key is retracted": ("|-R|3|Eve|", 10, "what is retracted or corrected is live"),
    "another row is retracted": ("|-R|1|Eve|", 10, "with the same values"),
    "another row is corrected": ("|-R|2|Bob|\n|-C|1|Eve|\n|+C|1|Bob|", 11, "with the same values"),
    "a retracted row is corrected": ("|-R|1|Ann|\n|-C|1|Ann|\n|+C|1|Bob|", 11, "is live"),
    "a key is corrected to another": ("|-C|1|Ann|\n|+C|3|Ann|", 11, "a -C and its [+]C have the same key"),
    "a slice ends on a correct-from": ("|+A|3|Eve|\n|-C|1|Ann|", 11, "a -C is at once followed by its [+]C"),
    "something comes between": ("|-C|1|Ann|\n|+A|3|Eve|\n|+C|1|Eve|", 10, "a -C is at once followed"),
    "two correct-froms": ("|-C|1|Ann|\n|-C|2|Bob|\n|+C|1|Eve|\n|+C|2|Eve|", 10, "a -C is at once followed"),
    "a correct-to stands alone": ("|-R|1|Ann|\n|+C|1|Eve|", 11, "a [+]C at once follows its -C"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_rule_is_named_with_the_record(what: str) -> None:
    text, offset, rule = BROKEN[what]
    with pytest.raises(BrokenStream, match=rule) as broken:
        validate(numbered(records(text), 10, TIME), STATE, PLACE)
    assert (broken.value.offset, f"Record {offset} " in str(broken.value)) == (offset, True)
    with pytest.raises(BrokenStream, match=rule) as broken:
        replay(records(text), STATE, PLACE)
    assert broken.value.offset == offset - 10


@pytest.mark.parametrize(
    "what", ["an absent key is retracted", "another row is retracted", "a slice ends on a correct-from"]
)
def test_without_a_key_what_is_retracted_must_be_there_too(what: str) -> None:
    with pytest.raises(BrokenStream, match=BROKEN[what][2].partition(",")[0]):
        replay(records(BROKEN[what][0]), STATE)


def test_a_slice_begins_where_the_one_before_ended() -> None:
    made = numbered(records("|+A|3|Eve|"), 10, TIME)
    validate(made, STATE, PLACE, expected_offset=10)
    with pytest.raises(BrokenStream, match="offset 9 is expected") as broken:
        validate(made, STATE, PLACE, expected_offset=9)
    assert broken.value.offset == 10


@pytest.mark.parametrize(("offsets", "wrong"), [([10, 12, 13], 12), ([10, 10, 11], 10), ([11, 10, 12], 10)])
def test_offsets_have_no_gap_and_are_there_once(offsets: list[int], wrong: int) -> None:
    broken = records("|+A|3|Eve|\n|-C|1|Ann|\n|+C|1|Eve|").append_column("offset", pa.array(offsets))
    with pytest.raises(BrokenStream, match="offsets have no gap, and each is there once") as refused:
        replay(broken, STATE, PLACE)
    assert refused.value.offset == wrong


def test_nothing_stands_within_a_pair() -> None:
    """Also where the records of other keys are not looked at, as in a merge of a stream."""
    torn = records("|-C|1|Ann|\n|+C|1|Eve|").append_column("offset", pa.array([10, 12]))
    with pytest.raises(BrokenStream, match="a -C is at once followed by its"):
        merge(ChangelogStream(PLACE), STATE, torn)


def test_system_time_never_goes_back() -> None:
    made = numbered(records("|+A|3|Eve|\n|+A|4|Eve|\n|+A|5|Eve|"), 10, TIME)
    times = [TIME, TIME + timedelta(seconds=2), TIME + timedelta(seconds=1)]
    place = made.column_names.index("system_time")
    with pytest.raises(BrokenStream, match="system time never goes back") as broken:
        validate(made.set_column(place, "system_time", pa.array(times)), STATE, PLACE)
    assert broken.value.offset == 12


def test_the_event_time_of_what_is_retracted_is_the_old_one() -> None:
    def timed(code: str, time: Any) -> pa.Table:
        return records(f"|{code}|1|Ann|").append_column("event_time", pa.array([time], pa.timestamp("us", tz="UTC")))

    state = replay(timed("+A", TIME))
    assert replay(timed("-R", TIME), state, PLACE).num_rows == 0
    with pytest.raises(BrokenStream, match="with the same values"):
        replay(timed("-R", TIME + timedelta(days=1)), state, PLACE)


def test_what_is_no_slice_is_refused() -> None:
    with pytest.raises(WrongUsage, match="no column offset, system_time, event_time"):
        validate(records("|+A|3|Eve|"))
    with pytest.raises(WrongUsage, match="has 4"):
        replay(records("|+A|3|Eve|").set_column(0, "op", pa.array([4], pa.uint8())))


def test_an_empty_slice_is_valid_and_changes_nothing() -> None:
    made = numbered(records("|+A|3|Eve|").slice(0, 0), 10, TIME)
    validate(made, STATE, PLACE, expected_offset=10)
    assert written(replay(made, STATE, PLACE), "event_time") == written(STATE)
