"""Folds the mentions of one key into one row, in memory, by the rules of a table's declaration.

The merge in Postgres (render/merge.py) does the same between parts and with what is stored; the laws hold both to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import Any

from lineage_core.declare.vocabulary import Earliest, Group, Row, Table
from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.events import Event


class Fold:
    """The rows of one folded table, a row for each key met so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._key = _key_of(table)
        self._groups = tuple((group, _members(table, group)) for group in table.groups)
        self._rows: dict[Any, Row] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Row) -> None:
        """Takes a row with its order columns (see `ordered`)."""
        held = self._rows.setdefault(self._key(row), row)
        if held is row:
            return
        for group, members in self._groups:
            if _wins(group, row.get(group.order), held.get(group.order)):
                for name in members:
                    held[name] = row.get(name)

    def rows(self) -> Iterator[Row]:
        yield from self._rows.values()

    def drain(self) -> Iterator[Row]:
        """The rows, each forgotten as it is given."""
        while self._rows:
            yield self._rows.pop(next(iter(self._rows)))


def _key_of(table: Table) -> Callable[[Row], Any]:
    """The value of the one column of the key, or a tuple of those of several."""
    return itemgetter(*(column.name for column in table.key))


def _members(table: Table, group: Group) -> tuple[str, ...]:
    return (*(column.name for column in table.columns if column.rule == group), group.order)


def _wins(group: Group, order: bytes | None, held: bytes | None) -> bool:
    """Within one event the later row wins a «newest» and the earlier one an «earliest», as Marquez writes in turn."""
    if order is None:
        return False
    if held is None:
        return True
    return order < held if isinstance(group, Earliest) else order >= held


class RowMaker:
    """Makes a table's rows from events: checked, and with the order of the event for each group they take part in."""

    def __init__(self, table: Table) -> None:
        assert table.rows is not None  # noqa: S101 - callers choose tables with rows
        self._rows = table.rows
        self._name = table.name
        self._groups = tuple((group, _members(table, group)[:-1]) for group in table.groups)
        self._limits = tuple(
            (column.name, column.type.longest) for column in table.staged if column.type.longest is not None
        )

    def rows(self, event: Event) -> Iterator[Row]:
        """Makes row after row, so that those of a large event need not be held. Raises RejectedEvent on the way if a
        value does not fit its column."""
        for row in self._rows(event):
            for name, longest in self._limits:
                value = row.get(name)
                if value is not None and len(value) > longest:
                    raise RejectedEvent(f"{self._name}.{name} takes {longest} characters, this has {len(value)}")
            for group, members in self._groups:
                if members[0] in row:
                    row.setdefault(group.order, event.order if isinstance(group, Earliest) else event.newest_order)
            yield row
