"""The four forms: what a conversion needs, and what it refuses. Their tables are in tests/golden."""

from __future__ import annotations

import pyarrow as pa
import pytest

from lineage_core.changelog import Form, converted
from lineage_core.errors import BrokenStream, WrongUsage
from tests.support.record_tables import table, written

PLACE = ("place",)
EVENT_TIMES = ("event_time", "old_event_time")


def records(text: str) -> pa.Table:
    return table(f"|op|place|player|\n|-|-|-|\n{text}")


STATE = table("|place|player|\n|-|-|\n|1|Ann|\n|2|Bob|")
MOVED_KEY = "|-C|1|Ann|\n|+C|3|Ann|"


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        (Form.RETRACT, Form.TWO_EVENTS, "does not say which append corrects which retraction"),
        (Form.RETRACT, Form.ONE_EVENT, "does not say which append corrects which retraction"),
        (Form.RETRACT, Form.UPSERT, "needs the primary key"),
        (Form.TWO_EVENTS, Form.UPSERT, "only a key names it"),
        (Form.ONE_EVENT, Form.UPSERT, "only a key names it"),
        (Form.UPSERT, Form.TWO_EVENTS, "does not say which row an append replaces"),
        (Form.UPSERT, Form.RETRACT, "needs the primary key"),
    ],
)
def test_a_conversion_without_the_key_that_it_needs_is_refused(source: Form, target: Form, reason: str) -> None:
    with pytest.raises(WrongUsage, match=f"From {source} to {target} needs the primary key: ") as refused:
        converted(records("|+A|3|Eve|"), source, target)
    assert reason in str(refused.value)


@pytest.mark.parametrize("target", [Form.TWO_EVENTS, Form.RETRACT, Form.ONE_EVENT])
def test_an_upsert_stream_needs_the_state_before(target: Form) -> None:
    with pytest.raises(WrongUsage, match="needs the state before the records, which has the old rows"):
        converted(records("|+A|3|Eve|"), Form.UPSERT, target, PLACE)


@pytest.mark.parametrize(
    ("columns", "primary_key", "lost"),
    [
        ("player|player_old", PLACE, "old_player"),
        ("player", (), "old_place, old_player"),
        ("player|old_player|club", PLACE, "old_club"),
    ],
)
def test_a_correction_that_does_not_say_what_it_corrects_is_refused(
    columns: str, primary_key: tuple[str, ...], lost: str
) -> None:
    names = f"|op|place|{columns}|"
    given = table(f"{names}\n{'|-' * (names.count('|') - 1)}|\n|+C|1|{'|'.join('x' for _ in columns.split('|'))}|")
    with pytest.raises(WrongUsage, match=f"there is no {lost}"):
        converted(given, Form.ONE_EVENT, Form.TWO_EVENTS, primary_key)


@pytest.mark.parametrize(
    ("form", "text", "codes"),
    [
        (Form.RETRACT, "|-C|1|Ann|\n|+C|1|Eve|", r"\+C, -C"),
        (Form.UPSERT, "|-C|1|Ann|\n|+C|1|Eve|", r"\+C, -C"),
        (Form.ONE_EVENT, "|-C|1|Ann|\n|+C|1|Eve|", "-C"),
    ],
)
@pytest.mark.parametrize("target", Form)
def test_records_of_another_form_are_refused(form: Form, text: str, codes: str, target: Form) -> None:
    with pytest.raises(WrongUsage, match=f"not of the form {form}: that has no {codes}"):
        converted(records(text), form, target, PLACE, STATE)


@pytest.mark.parametrize("target", Form)
@pytest.mark.parametrize("text", ["|-C|1|Ann|", "|+C|1|Ann|", "|-C|1|Ann|\n|+A|3|Eve|"])
def test_a_torn_pair_is_refused(text: str, target: Form) -> None:
    with pytest.raises(BrokenStream):
        converted(records(text), Form.TWO_EVENTS, target, PLACE)


@pytest.mark.parametrize("target", [Form.UPSERT, Form.ONE_EVENT])
def test_a_correction_that_moves_a_key_has_no_upsert(target: Form) -> None:
    with pytest.raises(BrokenStream, match="place = 3 corrects place = 1"):
        converted(records(MOVED_KEY), Form.TWO_EVENTS, target, PLACE)


def test_without_a_key_the_form_of_one_event_repeats_all_columns() -> None:
    made = converted(records(MOVED_KEY), Form.TWO_EVENTS, Form.ONE_EVENT)
    assert written(made, *EVENT_TIMES) == [("+C", 3, "Ann", 1, "Ann")]
    back = converted(made, Form.ONE_EVENT, Form.TWO_EVENTS)
    assert written(back, *EVENT_TIMES) == written(records(MOVED_KEY))


def test_a_column_called_like_an_old_one_is_refused() -> None:
    with pytest.raises(WrongUsage, match="needs the column old_player for old values: rename yours"):
        converted(table("|op|player|old_player|\n|-|-|-|\n|+A|a|b|"), Form.TWO_EVENTS, Form.ONE_EVENT)


def test_an_old_column_of_no_other_column_is_one_of_the_table() -> None:
    own = table("|op|place|old_name|\n|-|-|-|\n|+A|1|Ann|\n|-C|1|Ann|\n|+C|1|Eve|")
    made = converted(own, Form.TWO_EVENTS, Form.ONE_EVENT, PLACE)
    assert made.column_names == ["op", "event_time", "place", "old_name", "old_event_time", "old_old_name"]
    assert written(converted(made, Form.ONE_EVENT, Form.TWO_EVENTS, PLACE), *EVENT_TIMES) == written(own)


def test_a_correction_is_found_also_where_it_is_not_adjacent() -> None:
    retract = records("|-R|1|Ann|\n|-R|2|Bob|\n|+A|3|Eve|\n|+A|2|Ann|")
    assert written(converted(retract, Form.RETRACT, Form.TWO_EVENTS, PLACE), *EVENT_TIMES) == [
        ("-R", 1, "Ann"),
        ("+A", 3, "Eve"),
        ("-C", 2, "Bob"),
        ("+C", 2, "Ann"),
    ]


def test_several_retractions_of_a_key_in_one_commit_each_meet_the_next_append() -> None:
    retract = records("|-R|1|Ann|\n|+A|1|Bob|\n|-R|1|Bob|\n|+A|1|Eve|\n|-R|1|Eve|")
    assert written(converted(retract, Form.RETRACT, Form.TWO_EVENTS, PLACE), *EVENT_TIMES) == [
        ("-C", 1, "Ann"),
        ("+C", 1, "Bob"),
        ("-C", 1, "Bob"),
        ("+C", 1, "Eve"),
        ("-R", 1, "Eve"),
    ]


def test_a_correction_that_changes_nothing_is_left_out() -> None:
    assert converted(records("|-R|1|Ann|\n|+A|1|Ann|"), Form.RETRACT, Form.TWO_EVENTS, PLACE).num_rows == 0
    assert converted(records("|+A|1|Ann|\n|-R|7|Eve|"), Form.UPSERT, Form.TWO_EVENTS, PLACE, STATE).num_rows == 0


def test_a_form_that_is_kept_is_kept_as_it_is() -> None:
    text = "|-R|1|Ann|\n|+A|1|Ann|\n|+A|1|Ann|"
    for form in (Form.RETRACT, Form.UPSERT, Form.TWO_EVENTS):
        assert written(converted(records(text), form, form), "event_time") == written(records(text))


def test_an_old_event_time_comes_back() -> None:
    times = pa.array([1, 2], pa.int64()).cast(pa.timestamp("ms", tz="UTC"))
    pair = records("|-C|1|Ann|\n|+C|1|Eve|").append_column("event_time", times)
    made = converted(pair, Form.TWO_EVENTS, Form.ONE_EVENT, PLACE)
    back = converted(made, Form.ONE_EVENT, Form.TWO_EVENTS, PLACE)
    assert back.column("event_time").to_pylist() == times.to_pylist()


OWN_OLD_COLUMNS = [
    ("|op|id|old_id|\n|-|-|-|\n|+A|1|77|", ("id",), "old_id"),
    ("|op|id|old_id|\n|-|-|-|\n|-C|1|77|\n|+C|1|78|", ("id",), "old_id"),
    ("|op|id|old_id|\n|-|-|-|\n|+A|1|77|", (), "old_id"),
    ("|op|id|old_id|\n|-|-|-|\n|+A|1|77|", ("id", "old_id"), "old_id"),
    ("|op|ID|old_id|\n|-|-|-|\n|+A|1|77|", ("ID",), "old_id"),
    ("|op|id|Old_ID|\n|-|-|-|\n|+A|1|77|", ("id",), "Old_ID"),
]


@pytest.mark.parametrize(("text", "key", "column"), OWN_OLD_COLUMNS)
def test_a_column_of_ones_own_that_would_be_taken_for_an_old_value_is_not_written(
    text: str, key: tuple[str, ...], column: str
) -> None:
    with pytest.raises(WrongUsage, match=column):
        converted(table(text), Form.TWO_EVENTS, Form.ONE_EVENT, key)


@pytest.mark.parametrize("target", [Form.RETRACT, Form.UPSERT, Form.TWO_EVENTS])
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("|op|id|old_id|\n|-|-|-|\n|+A|1|77|", ("id",)),
        ("|op|id|old_id|v|old_v|\n|-|-|-|-|-|\n|+C|1|77|b|a|", ("id",)),
        ("|op|id|old_id|\n|-|-|-|\n|+A|1|77|", ("v",)),
        ("|op|id|old_id|old_old_id|\n|-|-|-|-|\n|+C|1|77|78|", ("v",)),
        ("|op|ID|old_id|\n|-|-|-|\n|+A|1|77|", ("ID",)),
    ],
)
def test_a_column_of_ones_own_is_never_read_as_an_old_value(text: str, key: tuple[str, ...], target: Form) -> None:
    with pytest.raises(WrongUsage, match="old_id"):
        converted(table(text), Form.ONE_EVENT, target, key)


def test_an_old_value_without_a_key_is_refused_where_nothing_is_corrected() -> None:
    with pytest.raises(WrongUsage, match="old_id has a value where nothing is corrected"):
        converted(table("|op|id|old_id|\n|-|-|-|\n|+A|1|77|"), Form.ONE_EVENT, Form.TWO_EVENTS)


@pytest.mark.parametrize("target", [Form.RETRACT, Form.TWO_EVENTS])
@pytest.mark.parametrize("columns", ["id|old_id|v", "id|v|old_v", "id|v|old_v|w|old_w"])
def test_without_a_key_each_column_of_a_correction_has_its_old_value(columns: str, target: Form) -> None:
    given = table(
        f"|op|{columns}|\n{'|-' * (columns.count('|') + 2)}|\n|+C|{'|'.join('7' for _ in columns.split('|'))}|"
    )
    with pytest.raises(WrongUsage, match=r"there is no old_(v|id)\. .* If these are the primary key, name it"):
        converted(given, Form.ONE_EVENT, target)


def test_an_old_value_of_a_column_in_another_case_is_refused() -> None:
    with pytest.raises(WrongUsage, match="old_id is old_ID but for upper and lower case"):
        converted(table("|op|ID|old_id|\n|-|-|-|\n|+C|1|77|"), Form.ONE_EVENT, Form.TWO_EVENTS)
