"""The four forms of a stream of changes that seed 002 compares, and how one becomes another.

| form | operations | needs |
|---|---|---|
| retract | +A -R | nothing |
| upsert | +A -R, where +A also stands for a correction | a primary key, and the state before |
| one event | +A -R +C, where +C has the old values beside the new ones | columns `old_…` |
| two events | +A -R -C +C | nothing: this is what is stored |

All conversions go by the form of two events. Offsets and system times are not carried over: the records are others.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import pyarrow as pa

from lineage_core.changelog.layout import STANDARD, changes_of, data_columns, offsets_of, operations_of, rows_of
from lineage_core.changelog.operations import Operation
from lineage_core.changelog.replay import ONE_KEY
from lineage_core.changelog.rows import Rows
from lineage_core.changelog.steps import StreamStep, refuse_split_pairs, steps_of
from lineage_core.changelog.vocabulary import DatasetVocabulary
from lineage_core.errors import BrokenStream, WrongUsage

OLD = "old_"
"""Before the name of a column: its value before a correction, in the form of one event."""


class Form(StrEnum):
    RETRACT = "retract"
    UPSERT = "upsert"
    ONE_EVENT = "one event"
    TWO_EVENTS = "two events"


_ALLOWED = {
    Form.RETRACT: {Operation.APPEND, Operation.RETRACT},
    Form.UPSERT: {Operation.APPEND, Operation.RETRACT},
    Form.ONE_EVENT: {Operation.APPEND, Operation.RETRACT, Operation.CORRECT_TO},
    Form.TWO_EVENTS: {*Operation},
}


def converted(
    records: pa.Table,
    source: Form,
    target: Form,
    primary_key: Sequence[str] = (),
    state: pa.Table | None = None,
    vocabulary: DatasetVocabulary = STANDARD,
) -> pa.Table:
    """Records of one form in another: operation, event time and data columns, without offset and system time.

    From and to upsert needs the primary key; from upsert also the state before the records. From one event needs it if
    the columns of the key have no old values beside them. From retract needs the primary key, and records of one
    commit: a retraction and the next append of its key become a correction, at the place of the append. Whether two
    steps were meant is lost on the way to retract and back. A correction that changes nothing is left out on the way
    from retract and from upsert.

    Raises WrongUsage if a conversion lacks what it needs, the records are not of the form `source`, or a column of the
    table is called as the form of one event calls old values; BrokenStream if a pair of corrections is torn, or has two
    keys where one is needed.
    """
    placed = placed_conversion(records, source, target, primary_key, state, vocabulary)
    return placed.drop_columns([PLACE])


PLACE = "__place"
"""Of a converted record: the offset of the one that it comes from."""


def placed_conversion(
    records: pa.Table,
    source: Form,
    target: Form,
    primary_key: Sequence[str] = (),
    state: pa.Table | None = None,
    vocabulary: DatasetVocabulary = STANDARD,
) -> pa.Table:
    """As `converted`, with one more column that tells where a record belongs among others."""
    refuse_unconvertible(source, target, primary_key, has_state=state is not None)
    operations = operations_of(records, vocabulary)
    if wrong := {*operations} - _ALLOWED[source]:
        codes = ", ".join(sorted(one.code for one in wrong))
        raise WrongUsage(f"These records are not of the form {source}: that has no {codes}")
    if source is target:
        return _as_they_are(records, operations, source, vocabulary)
    if source is Form.ONE_EVENT:
        _refuse_ambiguous(records, operations, primary_key, vocabulary)
        if Operation.CORRECT_TO in operations:
            _refuse_lost_values(records.column_names, primary_key, vocabulary)
        plain, steps = _two_rows(records, operations, vocabulary)
    else:
        rows = Rows(state if source is Form.UPSERT else None, records, primary_key, vocabulary)
        plain = rows.table
        steps = _STEPS[source](rows, operations, offsets_of(records, vocabulary))
    if target is Form.UPSERT or (target is Form.ONE_EVENT and primary_key):
        _refuse_two_keys(Rows(None, plain, primary_key, vocabulary), steps, primary_key)
    return _written(plain, steps, target, primary_key, vocabulary)


def _as_they_are(
    records: pa.Table, operations: Sequence[Operation], form: Form, vocabulary: DatasetVocabulary
) -> pa.Table:
    if form is Form.TWO_EVENTS:
        refuse_split_pairs(records, vocabulary)
    places = pa.array(offsets_of(records, vocabulary), pa.int64())
    return changes_of(operations, rows_of(records, vocabulary), vocabulary).append_column(PLACE, places)


def refuse_unconvertible(source: Form, target: Form, primary_key: Sequence[str], has_state: bool) -> None:
    """Raises WrongUsage, with the reason, if a conversion lacks the primary key or the state that it needs."""
    if source is target:
        return
    reasons = {
        Form.RETRACT: "a retract stream does not say which append corrects which retraction",
        Form.UPSERT: "an upsert stream does not say which row an append replaces",
    }
    if source in reasons and not primary_key:
        raise WrongUsage(f"From {source} to {target} needs the primary key: {reasons[source]}")
    if target is Form.UPSERT and not primary_key:
        raise WrongUsage(f"From {source} to {target} needs the primary key: without the old row, only a key names it")
    if source is Form.UPSERT and not has_state:
        raise WrongUsage(
            f"From {source} to {target} needs the state before the records, which has the old rows. Give an empty table"
            " if there was nothing before"
        )


def _of_two_events(rows: Rows, operations: Sequence[Operation], offsets: Sequence[int]) -> list[StreamStep]:
    return list(steps_of(operations, rows.of_batch, offsets))


def _of_retract(rows: Rows, operations: Sequence[Operation], offsets: Sequence[int]) -> list[StreamStep]:
    """A retraction waits for the next append of its key, and goes to its place."""
    steps, waiting = list[StreamStep | None](), dict[int, int]()
    for step in steps_of(operations, rows.of_batch, offsets):
        key = rows.keys[_row(step)]
        place = waiting.pop(key, None)
        if step.new is None:
            waiting[key] = len(steps)
        retraction = None if place is None or step.new is None else steps[place]
        if retraction is None or place is None:
            steps.append(step)
            continue
        # The correction stands where the append was, as steps of other keys may lie between the two.
        steps[place] = None
        if rows.whole[_row(retraction)] != rows.whole[_row(step)]:
            steps.append(step._replace(old=retraction.old))
    return [step for step in steps if step is not None]


def _of_upsert(rows: Rows, operations: Sequence[Operation], offsets: Sequence[int]) -> list[StreamStep]:
    """An append replaces the live row of its key; what repeats it, or retracts an absent key, says nothing."""
    live = {rows.keys[row]: row for row in rows.of_state}
    steps = list[StreamStep]()
    for step in steps_of(operations, rows.of_batch, offsets):
        key = rows.keys[_row(step)]
        old = live.get(key)
        if step.new is None:
            if old is not None:
                steps.append(step._replace(old=live.pop(key)))
        elif old is None or rows.whole[old] != rows.whole[step.new]:
            steps.append(step._replace(old=old))
            live[key] = step.new
    return steps


def _row(step: StreamStep) -> int:
    """The row of an append or a retraction, the new one of a correction."""
    return next(row for row in (step.new, step.old) if row is not None)


_STEPS = {Form.TWO_EVENTS: _of_two_events, Form.RETRACT: _of_retract, Form.UPSERT: _of_upsert}


def _two_rows(
    records: pa.Table, operations: Sequence[Operation], vocabulary: DatasetVocabulary
) -> tuple[pa.Table, list[StreamStep]]:
    """The records' new rows, and behind them their old rows, where a key has the value of the new one."""
    data = data_columns(records.column_names, vocabulary)
    both = rows_of(records, vocabulary)
    names = [vocabulary.event_time, *(name for name in data if not _is_old(name, [*data, vocabulary.event_time]))]
    new = both.select(names)
    old_columns = [both.column(f"{OLD}{name}" if f"{OLD}{name}" in data else name) for name in names]
    old = pa.Table.from_arrays(
        [column.cast(field.type) for column, field in zip(old_columns, new.schema, strict=True)], schema=new.schema
    )
    count, steps = new.num_rows, list[StreamStep]()
    for row, (operation, offset) in enumerate(zip(operations, offsets_of(records, vocabulary), strict=True)):
        if operation is Operation.RETRACT:
            steps.append(StreamStep(row, None, offset))
        else:
            steps.append(StreamStep(count + row if operation is Operation.CORRECT_TO else None, row, offset))
    return pa.concat_tables([new, old]).combine_chunks(), steps


def _refuse_ambiguous(
    records: pa.Table, operations: Sequence[Operation], primary_key: Sequence[str], vocabulary: DatasetVocabulary
) -> None:
    """Raises WrongUsage if a column that is called like an old one may be one of the table."""
    data = data_columns(records.column_names, vocabulary)
    names = [vocabulary.event_time, *data]
    folded = {name.casefold(): name for name in names}
    for name in data:
        of = folded.get(name.casefold().removeprefix(OLD)) if name.casefold().startswith(OLD) else None
        if of is None:
            continue
        if not _is_old(name, names):
            raise WrongUsage(f"{name} is {OLD}{of} but for upper and lower case: rename one of {name} and {of}")
        if of in primary_key:
            raise WrongUsage(
                f"{name} may be a column of the table, or an old value of the key {of}, which no correction changes."
                f" Rename it if it is of the table, and drop it if it has old values"
            )
        if _is_old(of, names):
            raise WrongUsage(f"{of} may be a column of the table, or the old {of.removeprefix(OLD)}: rename it")
        values = records.column(name).is_valid().to_pylist()
        if any(valid and one is not Operation.CORRECT_TO for valid, one in zip(values, operations, strict=True)):
            raise WrongUsage(
                f"{name} has a value where nothing is corrected, so it has not the old values of {of}: rename it"
            )


def _refuse_lost_values(names: Sequence[str], primary_key: Sequence[str], vocabulary: DatasetVocabulary) -> None:
    """Raises WrongUsage if a column that a correction may have changed has no old values beside it."""
    data = data_columns(names, vocabulary)
    plain = [name for name in data if not _is_old(name, [*data, vocabulary.event_time])]
    lost = [name for name in plain if name not in primary_key and f"{OLD}{name}" not in data]
    if lost:
        # Without a key, `id, old_id, v` may be a table of two columns or of three: nothing says which are old values.
        advice = "" if primary_key else ". If these are the primary key, name it"
        raise WrongUsage(
            f"These corrections do not say what they correct: there is no {', '.join(OLD + name for name in lost)}."
            f" The old value of a column x is in {OLD}x{advice}"
        )


def _is_old(name: str, all_names: Sequence[str]) -> bool:
    return name.startswith(OLD) and name.removeprefix(OLD) in all_names


def _refuse_two_keys(rows: Rows, steps: Sequence[StreamStep], primary_key: Sequence[str]) -> None:
    for old, new, offset in steps:
        if old is not None and new is not None and rows.keys[old] != rows.keys[new]:
            shown, there = (rows.described(row, primary_key) for row in (new, old))
            raise BrokenStream(ONE_KEY, offset, f"{shown} corrects {there}")


def _written(
    plain: pa.Table,
    steps: Sequence[StreamStep],
    target: Form,
    primary_key: Sequence[str],
    vocabulary: DatasetVocabulary,
) -> pa.Table:
    if target is Form.ONE_EVENT:
        return _one_event(plain, steps, primary_key, vocabulary)
    drafts = [(operation, row, place) for step in steps for operation, row, place in _records(step, target)]
    rows = plain.take(pa.array([row for _, row, _ in drafts], pa.int64()))
    return changes_of([operation for operation, _, _ in drafts], rows, vocabulary).append_column(
        PLACE, pa.array([place for _, _, place in drafts], pa.int64())
    )


def _records(step: StreamStep, target: Form) -> list[tuple[Operation, int, int]]:
    if step.old is None or step.new is None:
        return [(Operation.RETRACT if step.new is None else Operation.APPEND, _row(step), step.offset)]
    if target is Form.UPSERT:
        return [(Operation.APPEND, step.new, step.offset)]
    away, to = Operation.CORRECT_FROM, Operation.CORRECT_TO
    if target is Form.RETRACT:
        away, to = Operation.RETRACT, Operation.APPEND
    return [(away, step.old, step.offset), (to, step.new, step.offset)]


def _one_event(
    plain: pa.Table, steps: Sequence[StreamStep], primary_key: Sequence[str], vocabulary: DatasetVocabulary
) -> pa.Table:
    repeated = [name for name in plain.column_names if name not in primary_key]
    # Also that of a key, and in another case: a reader, or an engine that knows no case, takes it for an old value.
    taken = {f"{OLD}{name}".casefold() for name in plain.column_names}
    if clash := [name for name in plain.column_names if name.casefold() in taken]:
        raise WrongUsage(f"The form {Form.ONE_EVENT} needs the column {', '.join(clash)} for old values: rename yours")
    shown = plain.take(pa.array([_row(step) for step in steps], pa.int64()))
    before = plain.select(repeated).take(
        pa.array([step.old if step.new is not None else None for step in steps], pa.int64())
    )
    operations = [_one_operation(step) for step in steps]
    made = changes_of(operations, shown, vocabulary)
    for name in repeated:
        made = made.append_column(f"{OLD}{name}", before.column(name))
    return made.append_column(PLACE, pa.array([place for _, _, place in steps], pa.int64()))


def _one_operation(step: StreamStep) -> Operation:
    if step.new is None:
        return Operation.RETRACT
    return Operation.APPEND if step.old is None else Operation.CORRECT_TO
