"""Merge strategies: what a batch changes in a state (ODF `MergeStrategy`, as seed 002 changes it)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.layout import Layout
from lineage_core.changelog.operations import Operation
from lineage_core.changelog.replay import changed_rows
from lineage_core.changelog.rows import Rows
from lineage_core.changelog.values import is_nested
from lineage_core.changelog.vocabulary import FORMER_COLUMN, refuse_observations
from lineage_core.errors import WrongUsage

Draft = tuple[Operation, int]
"""A record that is to be written: what it does, with which of the rows."""


@dataclass(frozen=True)
class Append:
    """Every row of the batch is appended, in the order of event time."""

    primary_key = ()

    def drafts(self, state: pa.Table | None, batch: pa.Table, layout: Layout) -> tuple[Rows, list[Draft]]:
        _refuse_system_columns(batch, layout, type(self).__name__)
        rows = Rows(None if state is None else state.slice(0, 0), batch, (), layout)
        return rows, [(Operation.APPEND, row) for row in rows.of_batch]

    def order(self, layout: Layout, data: Sequence[str]) -> list[str]:
        return [layout.vocabulary.event_time, *data]


@dataclass(frozen=True)
class Ledger:
    """Rows whose key the state has not yet are appended, in the order of event time. What is there never changes."""

    primary_key: tuple[str, ...]

    def __post_init__(self) -> None:
        _refuse_no_key(self)

    def drafts(self, state: pa.Table | None, batch: pa.Table, layout: Layout) -> tuple[Rows, list[Draft]]:
        _refuse_system_columns(batch, layout, type(self).__name__)
        rows = Rows(state, batch, self.primary_key, layout)
        known = {rows.keys[row] for row in rows.of_state}
        new = _first_of_equal(rows, (row for row in rows.of_batch if rows.keys[row] not in known))
        _refuse_doubled(rows, new, self.primary_key)
        return rows, [(Operation.APPEND, row) for row in new]

    def order(self, layout: Layout, data: Sequence[str]) -> list[str]:
        return [layout.vocabulary.event_time, *self.primary_key]


@dataclass(frozen=True)
class Snapshot:
    """The batch is the whole table as it is now: what is new is appended, what is gone retracted, the rest corrected.

    `compare_columns` are those in which a row must differ to be corrected; by default all that are not in the key.
    Without a primary key nothing can be corrected: a row that differs is retracted, and its successor appended.
    """

    primary_key: tuple[str, ...] = ()
    compare_columns: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.compare_columns is None:
            return
        if not self.primary_key:
            raise WrongUsage("Without a primary key whole rows are compared: leave out the compare columns")
        if not self.compare_columns or {*self.compare_columns} & {*self.primary_key}:
            raise WrongUsage("Compare columns are one or more columns that are not in the primary key")

    def drafts(self, state: pa.Table | None, batch: pa.Table, layout: Layout) -> tuple[Rows, list[Draft]]:
        _refuse_system_columns(batch, layout, type(self).__name__)
        is_keyed = bool(self.primary_key)
        rows = Rows(state, batch, self.primary_key, layout, self.compare_columns, only_changed=is_keyed)
        return rows, list(self._keyed(rows) if is_keyed else _unkeyed(rows))

    def _keyed(self, rows: Rows) -> Iterator[Draft]:
        _refuse_doubled(rows, rows.of_state, self.primary_key)
        _refuse_doubled(rows, rows.of_batch, self.primary_key)
        live = {rows.keys[row]: row for row in rows.of_state}
        for new in rows.of_batch:
            yield from _became(rows, live.pop(rows.keys[new], None), new)
        yield from ((Operation.RETRACT, old) for old in live.values())

    def order(self, layout: Layout, data: Sequence[str]) -> list[str]:
        return [*self.primary_key] or [layout.vocabulary.operation_type, layout.vocabulary.event_time, *data]


@dataclass(frozen=True)
class UpsertStream:
    """The batch appends (+A) or retracts (-R) by key, in its order: the last record of a key counts.

    A batch without an operation column only appends. What the state has already, and what retracts an absent key,
    changes nothing. A retraction has the row of the state, whatever the batch says of it.
    """

    primary_key: tuple[str, ...]

    def __post_init__(self) -> None:
        _refuse_no_key(self)

    def drafts(self, state: pa.Table | None, batch: pa.Table, layout: Layout) -> tuple[Rows, list[Draft]]:
        rows = Rows(state, batch, self.primary_key, layout)
        has_operations = layout.vocabulary.operation_type in batch.column_names
        if not has_operations and FORMER_COLUMN in batch.column_names:
            layout.refuse_without_operation(batch.schema)
        operations = layout.operations_of(batch) if has_operations else [Operation.APPEND] * batch.num_rows
        if corrections := {Operation.CORRECT_FROM, Operation.CORRECT_TO} & {*operations}:
            codes = " and ".join(sorted(one.code for one in corrections))
            raise WrongUsage(f"An upsert stream only has +A and -R, and this batch has {codes}: use ChangelogStream")
        _refuse_doubled(rows, rows.of_state, self.primary_key)
        return rows, list(self._last_of_each_key(rows, operations))

    def _last_of_each_key(self, rows: Rows, operations: Sequence[Operation]) -> Iterator[Draft]:
        live = {rows.keys[row]: row for row in rows.of_state}
        last = {rows.keys[row]: (operation, row) for operation, row in zip(operations, rows.of_batch, strict=True)}
        for key, (operation, row) in last.items():
            if operation is Operation.APPEND:
                yield from _became(rows, live.get(key), row)
            elif key in live:
                yield Operation.RETRACT, live[key]

    def order(self, layout: Layout, data: Sequence[str]) -> list[str]:
        return [*self.primary_key]


@dataclass(frozen=True)
class ChangelogStream:
    """The batch is a changelog stream already: it is checked against the state, and ordered by key. Nothing is added.

    The records of one key stay in their order, so a -C stays before its +C.
    """

    primary_key: tuple[str, ...]

    def __post_init__(self) -> None:
        _refuse_no_key(self)

    def drafts(self, state: pa.Table | None, batch: pa.Table, layout: Layout) -> tuple[Rows, list[Draft]]:
        rows = Rows(state, batch, self.primary_key, layout)
        operations = layout.operations_of(batch)
        changed_rows(rows, operations, layout.offsets_of(batch), self.primary_key)
        return rows, list(zip(operations, rows.of_batch, strict=True))

    def order(self, layout: Layout, data: Sequence[str]) -> list[str]:
        return [*self.primary_key]


MergeStrategy = Append | Ledger | Snapshot | UpsertStream | ChangelogStream

_BY_KIND: dict[str, type[MergeStrategy]] = {
    strategy.__name__: strategy for strategy in (Append, Ledger, Snapshot, UpsertStream, ChangelogStream)
}
_FIELDS = {"primaryKey": "primary_key", "compareColumns": "compare_columns"}


def merge_strategy(manifest: Mapping[str, Any]) -> MergeStrategy:
    """The strategy of an ODF manifest: `{"kind": "Snapshot", "primaryKey": ["place"]}`.

    Raises WrongUsage for an unknown kind or key, and for keys of observations, which seed 002 has removed.
    """
    refuse_observations(manifest)
    strategy = _BY_KIND.get(str(manifest.get("kind")))
    if strategy is None:
        raise WrongUsage(f"There is no merge strategy {manifest.get('kind')!r}; there are {', '.join(_BY_KIND)}")
    content = {key: value for key, value in manifest.items() if key != "kind" and value is not None}
    known = {key: name for key, name in _FIELDS.items() if name in strategy.__dataclass_fields__}
    if unknown := sorted(content.keys() - known.keys()):
        raise WrongUsage(f"{strategy.__name__} has no {', '.join(unknown)}")
    if strategy not in (Append, Snapshot) and "primaryKey" not in content:
        raise WrongUsage(f"{strategy.__name__} needs a primaryKey")
    return strategy(**{known[key]: tuple(value) for key, value in content.items()})


class Merges(Layout):
    """Changes out of states and batches."""

    def merge(self, strategy: MergeStrategy, state: pa.Table | None, batch: pa.Table) -> pa.Table:
        """What a batch changes: records without offset and system time, in the order that the strategy gives them.

        `state` is what `replay` gives: event time and data columns; None is the empty one. The order of rows in state
        and batch makes no difference, except to UpsertStream and ChangelogStream, whose batch is a sequence. `numbered`
        makes a slice of the changes.

        Raises WrongUsage if columns of state and batch differ, if a key is missing, NULL or there twice; BrokenStream
        if the batch of a ChangelogStream does not follow from the state.
        """
        changes = self.unordered_changes(strategy, state, batch)
        arrays = self.sorting_values(strategy, changes)
        sorting = pa.table([*arrays, pa.array(range(changes.num_rows))], names=[*map(str, range(len(arrays) + 1))])
        return changes.take(pc.sort_indices(sorting, sort_keys=[(name, "ascending") for name in sorting.column_names]))

    def unordered_changes(self, strategy: MergeStrategy, state: pa.Table | None, batch: pa.Table) -> pa.Table:
        """What a batch changes, in an order in which only the records of one key have their place."""
        rows, drafts = strategy.drafts(state, batch, self)
        taken = rows.table.take(pa.array([row for _, row in drafts], pa.int64()))
        return self.changes_of([operation for operation, _ in drafts], taken)

    def sorting_values(self, strategy: MergeStrategy, changes: pa.Table) -> list[pa.ChunkedArray]:
        """By what changes are ordered: ascending, NaN and NULL last, and records that are equal in all of it as they
        are.

        Nested values are ordered as texts, operations so that a retraction comes before an append.
        """
        names = strategy.order(self, self.data_columns(changes.column_names))
        return [self._sortable(changes, name) for name in names]

    def _sortable(self, changes: pa.Table, name: str) -> pa.ChunkedArray:
        column = changes.column(name)
        if name == self.vocabulary.operation_type:
            return pc.equal(column, int(Operation.APPEND))
        if is_nested(column.type):
            return pa.chunked_array(
                [pa.array([None if one is None else str(one) for one in column.to_pylist()], pa.string())]
            )
        return column


def _became(rows: Rows, old: int | None, new: int) -> Iterator[Draft]:
    """What a key has become that had a row, or had none."""
    if old is None:
        yield Operation.APPEND, new
    elif rows.is_changed(old, new):
        yield Operation.CORRECT_FROM, old
        yield Operation.CORRECT_TO, new


def _unkeyed(rows: Rows) -> Iterator[Draft]:
    """The difference of two multisets. A row without event time is the same as any with the same data."""
    gone, come = _difference(rows.of_state, rows.of_batch, rows.whole)
    timed = [row for row in come if rows.has_event_time(row)]
    gone, untimed = _difference(gone, [row for row in come if not rows.has_event_time(row)], rows.data)
    yield from ((Operation.RETRACT, row) for row in gone)
    yield from ((Operation.APPEND, row) for row in [*timed, *untimed])


def _difference(old: Iterable[int], new: Iterable[int], numbers: Sequence[int]) -> tuple[list[int], list[int]]:
    """Which of two multisets have no counterpart in the other. Rows are the same if their numbers are."""
    unmatched, come = Counter[int](), list[int]()
    old = list(old)
    unmatched.update(numbers[row] for row in old)
    for row in new:
        if unmatched[numbers[row]]:
            unmatched[numbers[row]] -= 1
        else:
            come.append(row)
    gone = list[int]()
    for row in old:
        if unmatched[numbers[row]]:
            unmatched[numbers[row]] -= 1
            gone.append(row)
    return gone, come


def _first_of_equal(rows: Rows, some: Iterable[int]) -> list[int]:
    return list({rows.whole[row]: row for row in reversed(list(some))}.values())[::-1]


def _refuse_doubled(rows: Rows, some: Iterable[int], primary_key: Sequence[str]) -> None:
    seen = set[int]()
    for row in some:
        if rows.keys[row] in seen:
            where = "state" if row in rows.of_state else "batch"
            raise WrongUsage(
                f"The {where} has two rows with the key {rows.described(row, primary_key)}: a key names one row."
                " Decide which of them counts, or choose another key"
            )
        seen.add(rows.keys[row])


def _refuse_no_key(strategy: Ledger | UpsertStream | ChangelogStream) -> None:
    if not strategy.primary_key:
        raise WrongUsage(f"{type(strategy).__name__} needs a primary key")


def _refuse_system_columns(batch: pa.Table, layout: Layout, strategy: str) -> None:
    system = (layout.vocabulary.offset, layout.vocabulary.operation_type, layout.vocabulary.system_time)
    if found := [name for name in system if name in batch.column_names]:
        raise WrongUsage(
            f"{strategy} takes a table, and this batch has the system column {', '.join(found)}. If it is a stream, use"
            " ChangelogStream or UpsertStream; if the column is the table's own, choose another name for the system"
            " column in the DatasetVocabulary"
        )
