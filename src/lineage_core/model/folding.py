"""Folds the mentions of one key into one row, in memory, by the rules of a table's declaration.

The merge in Postgres (render/merge.py) does the same between parts and with what is stored; the laws hold both to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import itemgetter
from typing import Any, get_args

from lineage_core.declare.vocabulary import Earliest, Group, Row, Table
from lineage_core.errors import RejectedEvent
from lineage_core.model.mention_rows import RowsOfMentions
from lineage_core.openlineage.events import AnyMention, Event, Moment


class Fold:
    """The rows of one folded table, a row for each key met so far."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._key = _key_of(table)
        self._groups = tuple((group, _place(group), (*_members(table, group), group.order)) for group in table.groups)
        self._rows: dict[Any, Row] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Row) -> None:
        """Takes a row with its order columns (see `ordered`)."""
        held = self._rows.setdefault(self._key(row), row)
        if held is row:
            return
        for group, place, members in self._groups:
            if _wins(group, row.get(group.order), held.get(group.order), row.get(place, 0) - held.get(place, 0)):
                for name in members:
                    held[name] = row.get(name)
                held[place] = row.get(place, 0)

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
    return tuple(column.name for column in table.columns if column.rule == group)


def _place(group: Group) -> str:
    """The member of a row that has the place of its mention in the event. No column bears that name."""
    return f"place of {group.order}"


def _wins(group: Group, order: bytes | None, held: bytes | None, farther: int) -> bool:
    """Within one event the later row wins a «newest» and the earlier one an «earliest», as Marquez writes in turn.

    farther: by how much the mention stands behind that of the held row, 0 where rows come in turn.
    """
    if order is None:
        return False
    if held is None:
        return True
    if isinstance(group, Earliest):
        return order < held or (order == held and farther < 0)
    return order > held or (order == held and farther >= 0)


class RowMaker:
    """Makes a table's rows from events: checked, and with the order of the event for each group they take part in."""

    def __init__(self, table: Table) -> None:
        assert table.rows is not None  # noqa: S101 - callers choose tables with rows
        self._rows = table.rows
        self._of_mentions = table.rows if isinstance(table.rows, RowsOfMentions) else None
        self._name = table.name
        self._groups = tuple((group, _place(group), _members(table, group)) for group in table.groups)
        self._limits = tuple(
            (column.name, column.type.longest) for column in table.staged if column.type.longest is not None
        )

    @property
    def kinds(self) -> tuple[type[AnyMention], ...]:
        """Classes of mentions of which rows follow by themselves, so that they need not be made of one that is known.

        Empty where rows are made of whole events.
        """
        return () if self._of_mentions is None else self._of_mentions.kinds

    def rows(self, event: Event, mentions: Iterable[AnyMention] | None = None) -> Iterator[Row]:
        """Makes row after row, so that those of a large event need not be held. Raises RejectedEvent on the way if a
        value does not fit its column.

        mentions: of a table whose rows follow from mentions, those of these alone; None for all of the event.
        """
        if self._of_mentions is None:
            for row in self._rows(event):
                yield self._completed(row, event.moment, 0)
        else:
            for mention in event.mentions if mentions is None else mentions:
                if isinstance(mention, self._of_mentions.kinds):
                    yield from self.of_mention(mention, event.moment)

    def of_mention(self, mention: AnyMention, moment: Moment) -> Iterator[Row]:
        """The rows that follow from a mention that it takes, in an event of that moment."""
        assert self._of_mentions is not None  # noqa: S101 - callers choose such tables
        for row in self._of_mentions.of_one(mention, moment):
            yield self._completed(row, moment, mention.place)

    def _completed(self, row: Row, moment: Moment, place: int) -> Row:
        for name, longest in self._limits:
            value = row.get(name)
            if value is not None and len(value) > longest:
                raise RejectedEvent(f"{self._name}.{name} takes {longest} characters, this has {len(value)}")
        for group, place_name, members in self._groups:
            if members[0] in row:
                row.setdefault(group.order, moment.order if isinstance(group, Earliest) else moment.newest_order)
                if place:
                    row[place_name] = place
        return row


class RowMakers:
    """Makes the rows of several tables. Each mention is given to those alone that take mentions of its kind."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._makers = [RowMaker(table) for table in tables]
        numbered = list(enumerate(self._makers))
        self._of_events = [(place, maker) for place, maker in numbered if not maker.kinds]
        self._of_kinds = {
            kind: [(place, maker) for place, maker in numbered if kind in maker.kinds] for kind in get_args(AnyMention)
        }

    def rows(self, event: Event, mentions: Iterable[AnyMention]) -> list[list[Row]]:
        """The rows of each table, in the order of the tables: of the event, and of these mentions of it.

        Raises RejectedEvent if a value does not fit its column.
        """
        made: list[list[Row]] = [[] for _ in self._makers]
        for place, maker in self._of_events:
            made[place].extend(maker.rows(event))
        for mention in mentions:
            for place, maker in self._of_kinds[type(mention)]:
                made[place].extend(maker.of_mention(mention, event.moment))
        return made

    def of_mention(self, mention: AnyMention, moment: Moment) -> Iterator[tuple[int, Row]]:
        """The number of a table, and a row of it, for each that follows from the mention in an event of that moment."""
        for place, maker in self._of_kinds[type(mention)]:
            for row in maker.of_mention(mention, moment):
                yield place, row
