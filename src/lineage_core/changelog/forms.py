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

from lineage_core.changelog.layout import Layout
from lineage_core.changelog.operations import Operation, StreamStep, steps_of
from lineage_core.changelog.replay import ONE_KEY
from lineage_core.changelog.rows import Rows
from lineage_core.errors import BrokenStream, WrongUsage

OLD = "old_"
"""Before the name of a column: its value before a correction, in the form of one event."""

PLACE = "__place"
"""Of a converted record: the offset of the one that it comes from."""


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


class Conversions(Layout):
    """Records of one form out of those of another."""

    def converted(
        self,
        records: pa.Table,
        source: Form,
        target: Form,
        primary_key: Sequence[str] = (),
        state: pa.Table | None = None,
    ) -> pa.Table:
        """Records of one form in another: operation, event time and data columns, without offset and system time.

        From and to upsert needs the primary key; from upsert also the state before the records. From one event needs it
        if the columns of the key have no old values beside them. From retract needs the primary key, and records of one
        commit: a retraction and the next append of its key become a correction, at the place of the append. Whether two
        steps were meant is lost on the way to retract and back. A correction that changes nothing is left out on the
        way from retract and from upsert.

        Raises WrongUsage if a conversion lacks what it needs, the records are not of the form `source`, or a column of
        the table is called as the form of one event calls old values; BrokenStream if a pair of corrections is torn, or
        has two keys where one is needed.
        """
        placed = self.placed_conversion(records, source, target, primary_key, state)
        return placed.drop_columns([PLACE])

    def placed_conversion(
        self,
        records: pa.Table,
        source: Form,
        target: Form,
        primary_key: Sequence[str] = (),
        state: pa.Table | None = None,
    ) -> pa.Table:
        """As `converted`, with one more column that tells where a record belongs among others."""
        refuse_unconvertible(source, target, primary_key, has_state=state is not None)
        operations = self.operations_of(records)
        if wrong := {*operations} - _ALLOWED[source]:
            codes = ", ".join(sorted(one.code for one in wrong))
            raise WrongUsage(f"These records are not of the form {source}: that has no {codes}")
        if source is target:
            return self._as_they_are(records, operations, source)
        if source is Form.ONE_EVENT:
            self._refuse_ambiguous(records, operations, primary_key)
            if Operation.CORRECT_TO in operations:
                self._refuse_lost_values(records.column_names, primary_key)
            plain, steps = self._two_rows(records, operations)
        else:
            rows = Rows(state if source is Form.UPSERT else None, records, primary_key, self)
            plain = rows.table
            steps = _STEPS[source](rows, operations, self.offsets_of(records))
        if target is Form.UPSERT or (target is Form.ONE_EVENT and primary_key):
            _refuse_two_keys(Rows(None, plain, primary_key, self), steps, primary_key)
        return self._written(plain, steps, target, primary_key)

    def _as_they_are(self, records: pa.Table, operations: Sequence[Operation], form: Form) -> pa.Table:
        if form is Form.TWO_EVENTS:
            self.refuse_split_pairs(records)
        places = pa.array(self.offsets_of(records), pa.int64())
        return self.changes_of(operations, self.rows_of(records)).append_column(PLACE, places)

    def _two_rows(self, records: pa.Table, operations: Sequence[Operation]) -> tuple[pa.Table, list[StreamStep]]:
        """The records' new rows, and behind them their old rows, where a key has the value of the new one."""
        data = self.data_columns(records.column_names)
        both = self.rows_of(records)
        names = [
            self.vocabulary.event_time,
            *(name for name in data if not _is_old(name, [*data, self.vocabulary.event_time])),
        ]
        new = both.select(names)
        old_columns = [both.column(f"{OLD}{name}" if f"{OLD}{name}" in data else name) for name in names]
        old = pa.Table.from_arrays(
            [column.cast(field.type) for column, field in zip(old_columns, new.schema, strict=True)], schema=new.schema
        )
        count, steps = new.num_rows, list[StreamStep]()
        for row, (operation, offset) in enumerate(zip(operations, self.offsets_of(records), strict=True)):
            if operation is Operation.RETRACT:
                steps.append(StreamStep(row, None, offset))
            else:
                steps.append(StreamStep(count + row if operation is Operation.CORRECT_TO else None, row, offset))
        return pa.concat_tables([new, old]).combine_chunks(), steps

    def _refuse_ambiguous(self, records: pa.Table, operations: Sequence[Operation], primary_key: Sequence[str]) -> None:
        """Raises WrongUsage if a column that is called like an old one may be one of the table."""
        data = self.data_columns(records.column_names)
        names = [self.vocabulary.event_time, *data]
        folded = {name.casefold(): name for name in names}
        for name in data:
            of = folded.get(name.casefold().removeprefix(OLD)) if name.casefold().startswith(OLD) else None
            if of is None:
                continue
            if not _is_old(name, names):
                raise WrongUsage(f"{name} is {OLD}{of} but for upper and lower case: rename one of {name} and {of}")
            if of in primary_key:
                raise WrongUsage(
                    f"{name} may be a column of the table, or an old value of the key {of}, which no correction"
                    f" changes. Rename it if it is of the table, and drop it if it has old values"
                )
            if _is_old(of, names):
                raise WrongUsage(f"{of} may be a column of the table, or the old {of.removeprefix(OLD)}: rename it")
            values = records.column(name).is_valid().to_pylist()
            if any(valid and one is not Operation.CORRECT_TO for valid, one in zip(values, operations, strict=True)):
                raise WrongUsage(
                    f"{name} has a value where nothing is corrected, so it has not the old values of {of}: rename it"
                )

    def _refuse_lost_values(self, names: Sequence[str], primary_key: Sequence[str]) -> None:
        """Raises WrongUsage if a column that a correction may have changed has no old values beside it."""
        data = self.data_columns(names)
        plain = [name for name in data if not _is_old(name, [*data, self.vocabulary.event_time])]
        lost = [name for name in plain if name not in primary_key and f"{OLD}{name}" not in data]
        if lost:
            # Without a key, `id, old_id, v` may be a table of two columns or of three: nothing says which are old
            # values.
            advice = "" if primary_key else ". If these are the primary key, name it"
            raise WrongUsage(
                f"These corrections do not say what they correct: there is no {', '.join(OLD + name for name in lost)}."
                f" The old value of a column x is in {OLD}x{advice}"
            )

    def _written(
        self,
        plain: pa.Table,
        steps: Sequence[StreamStep],
        target: Form,
        primary_key: Sequence[str],
    ) -> pa.Table:
        if target is Form.ONE_EVENT:
            return self._one_event(plain, steps, primary_key)
        drafts = [(operation, row, place) for step in steps for operation, row, place in _records(step, target)]
        rows = plain.take(pa.array([row for _, row, _ in drafts], pa.int64()))
        return self.changes_of([operation for operation, _, _ in drafts], rows).append_column(
            PLACE, pa.array([place for _, _, place in drafts], pa.int64())
        )

    def _one_event(self, plain: pa.Table, steps: Sequence[StreamStep], primary_key: Sequence[str]) -> pa.Table:
        repeated = [name for name in plain.column_names if name not in primary_key]
        # Also that of a key, and in another case: a reader, or an engine that knows no case, takes it for an old value.
        taken = {f"{OLD}{name}".casefold() for name in plain.column_names}
        if clash := [name for name in plain.column_names if name.casefold() in taken]:
            raise WrongUsage(
                f"The form {Form.ONE_EVENT} needs the column {', '.join(clash)} for old values: rename yours"
            )
        shown = plain.take(pa.array([_row(step) for step in steps], pa.int64()))
        before = plain.select(repeated).take(
            pa.array([step.old if step.new is not None else None for step in steps], pa.int64())
        )
        operations = [_one_operation(step) for step in steps]
        made = self.changes_of(operations, shown)
        for name in repeated:
            made = made.append_column(f"{OLD}{name}", before.column(name))
        return made.append_column(PLACE, pa.array([place for _, _, place in steps], pa.int64()))


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


def _is_old(name: str, all_names: Sequence[str]) -> bool:
    return name.startswith(OLD) and name.removeprefix(OLD) in all_names


def _refuse_two_keys(rows: Rows, steps: Sequence[StreamStep], primary_key: Sequence[str]) -> None:
    for old, new, offset in steps:
        if old is not None and new is not None and rows.keys[old] != rows.keys[new]:
            shown, there = (rows.described(row, primary_key) for row in (new, old))
            raise BrokenStream(ONE_KEY, offset, f"{shown} corrects {there}")


def _records(step: StreamStep, target: Form) -> list[tuple[Operation, int, int]]:
    if step.old is None or step.new is None:
        return [(Operation.RETRACT if step.new is None else Operation.APPEND, _row(step), step.offset)]
    if target is Form.UPSERT:
        return [(Operation.APPEND, step.new, step.offset)]
    away, to = Operation.CORRECT_FROM, Operation.CORRECT_TO
    if target is Form.RETRACT:
        away, to = Operation.RETRACT, Operation.APPEND
    return [(away, step.old, step.offset), (to, step.new, step.offset)]


def _one_operation(step: StreamStep) -> Operation:
    if step.new is None:
        return Operation.RETRACT
    return Operation.APPEND if step.old is None else Operation.CORRECT_TO
