"""Whether two stores hold the same rows: a number for each row, and a sum of these for each of 4,096 groups.

Rows are read in full only of groups that differ. A store that other programs work on is read as of one moment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from psycopg import sql

from lineage_core.carry_over.store import kept_anew
from lineage_core.carry_over.store.counts import relations
from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import Table
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_row, every_value
from lineage_core.retention.phases import retention_phases
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store import plans, purge
from lineage_core.retention.tables import PolicyKind
from lineage_core.statements import named

AT_ONCE = 1_000_000
"""Numbers of rows that are held at a time, of groups that differ."""

OF_EACH_STORE = {
    "flyway_schema_history": "made by the upgrade, with its time",
    "group_roles": "names of roles, which both share",
    "leases": "who works on it",
    "watermarks": "what is done of its own numbers of arrival",
    "staged_parts": "what is at work",
    "refreshed_views": "made by itself, with its time",
    "schema_scripts": "made by the upgrade, with its time",
    "stream_schemas": "made by the upgrade, with its time",
}
"""Tables that say something of one database alone, and what."""

WITHOUT = {"lineage_events": ("arrived_xid", "arrival_seq", "is_moved"), "streams": ("started_xid",)}
"""Columns that say how a row came into one database, for each table."""

_NOT_OF_CONTENTS = frozenset({"quarantine", "retention_purged_runs"})


@dataclass(frozen=True)
class RowDifference:
    """How many rows of a table only the other store has, and only the new one. is_lost: the other one has no such
    table."""

    table: str
    only_earlier: int
    only_new: int
    is_lost: bool = False


@dataclass(frozen=True)
class _Group:
    bucket: int
    rows: int
    digest: str


@contextmanager
def snapshot(store: Store) -> Iterator[Connection]:
    """A session that reads the store as of this moment, until the block ends."""
    with store.connect() as connection:
        purge.prepare(connection)
        run_script(connection, named("carry_over/rebuild/begin_snapshot"))
        yield connection
        connection.rollback()


def compared_tables() -> list[Table]:
    """All that are declared, but those of which each store has its own."""
    return [table for table in all_tables() if table.name not in {*OF_EACH_STORE, *kept_anew.LEFT_BEHIND}]


def row_differences(
    reading: Connection,
    new: Store,
    passed: sql.Composable,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> list[RowDifference]:
    """The tables that differ. reading: of `snapshot`. passed: of its raw events, those that are compared. progress:
    called with how many tables are compared, and of how many.

    What no other row names is not compared: retention may have deleted it of one of them, and none reads it.
    """
    with snapshot(new) as writing:
        known = relations(reading)
        views = replaced_tables(reading) | replaced_tables(writing)
        tables = [table for table in compared_tables() if table.name not in views]
        is_whole = all(table.name in known for table in tables)
        if is_whole:
            for connection in (reading, writing):
                _find_unnamed(connection)
        found = list[RowDifference]()
        for number, table in enumerate(tables):
            progress(number, len(tables))
            if table.name not in known:
                found.append(RowDifference(table.name, 0, 0, is_lost=True))
                continue
            chosen = _named(table) if is_whole else sql.SQL("true")
            one = _rows(table, passed if table.name == "lineage_events" else chosen)
            difference = _difference(reading, writing, table.name, one, _rows(table, chosen))
            if difference.only_earlier or difference.only_new:
                found.append(difference)
        return found


def _find_unnamed(connection: Connection) -> None:
    """Puts into temporary tables what nothing names."""
    as_of = plans.moment(connection, None)
    purge.find(connection, as_of, [Cutoff(PolicyKind.CONTENTS, "", as_of, 0)])


def _named(table: Table) -> sql.Composed:
    conditions: list[sql.Composable] = [sql.SQL("true")]
    for phase in retention_phases():
        for step in phase.steps:
            is_chosen = step.table is table and step.deletes and step.column and not step.statement
            if is_chosen and phase.kind not in _NOT_OF_CONTENTS and getattr(step.word, "among", None) is None:
                conditions.append(
                    composed(
                        "carry_over/rebuild/is_named",
                        found=sql.Identifier(phase.found.found),
                        key=sql.Identifier(phase.found.key),
                        column=sql.Identifier(step.column),
                    )
                )
    return sql.SQL(" AND ").join(conditions)


def _rows(table: Table, chosen: sql.Composable) -> sql.Composed:
    without = sql.Literal(list(WITHOUT.get(table.name, ())))
    return composed("carry_over/rebuild/rows", table=sql.Identifier(table.name), without=without, chosen=chosen)


def _difference(
    reading: Connection, writing: Connection, table: str, earlier: sql.Composed, new: sql.Composed
) -> RowDifference:
    one, other = _groups(reading, earlier), _groups(writing, new)
    differing = [bucket for bucket in sorted({*one, *other}) if one.get(bucket) != other.get(bucket)]
    only_earlier = only_new = 0
    for buckets in _together(differing, one, other):
        had, has = _digests(reading, earlier, buckets), _digests(writing, new, buckets)
        only_earlier += (had - has).total()
        only_new += (has - had).total()
    return RowDifference(table, only_earlier, only_new)


def _groups(connection: Connection, rows: sql.Composed) -> dict[int, _Group]:
    found = every_row(connection, _Group, composed("carry_over/rebuild/buckets", rows=rows))
    return {group.bucket: group for group in found}


def _together(buckets: list[int], *sides: Mapping[int, _Group]) -> Iterator[list[int]]:
    taken, rows = list[int](), 0
    for bucket in buckets:
        size = sum(side[bucket].rows for side in sides if bucket in side)
        if taken and rows + size > AT_ONCE:
            yield taken
            taken, rows = [], 0
        taken.append(bucket)
        rows += size
    if taken:
        yield taken


def _digests(connection: Connection, rows: sql.Composed, buckets: list[int]) -> Counter[int]:
    statement = composed("carry_over/rebuild/digests", rows=rows)
    return Counter(every_value(connection, int, statement, {"buckets": buckets}))
