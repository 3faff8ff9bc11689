"""Tables as they were published at a moment, for one transaction: what streams say came and went since is undone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from psycopg import sql

from lineage_core.changelog.replay import offset_at
from lineage_core.declare.streams import SYSTEM_COLUMNS, StreamColumn
from lineage_core.declare.tables import table_named
from lineage_core.declare.vocabulary import TEXT, VARCHAR
from lineage_core.errors import NeedsOperator, NotInStore
from lineage_core.evolution import DataMigration
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, every_value, execute
from lineage_core.streams.parts import published_tables
from lineage_core.streams.publisher_file import refuse_other_root
from lineage_core.streams.store import heads, moments
from lineage_core.streams.store.schemas import stream_schemas
from lineage_core.streams.store.switches import stream_named

_OFFSET, _OPERATION, _SYSTEM_TIME, _ = SYSTEM_COLUMNS
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True)
class KnownTable:
    """A table that has a stream with a key, and the columns of it that are read, its key among them."""

    name: str
    columns: tuple[str, ...]


def show_as_known(connection: Connection, root: str, tables: Sequence[KnownTable], moment: datetime) -> datetime:
    """Has these tables mean to this transaction what was published of them by a moment; the time of that publication.

    The transaction must be REPEATABLE READ, and may write temporary tables: views in `pg_temp` stand before the tables.
    Memory is that of one part of a stream, at a time.

    Raises NeedsOperator if a stream is off or its files are not there, and NotInStore if nothing says what was known
    at the moment.
    """
    refuse_other_root(connection, root)
    _refuse_off(connection, tables)
    published = _publication(connection, [table.name for table in tables], moment)
    for table in tables:
        _show(connection, FileFolder(root), table, published)
    return published


def _refuse_off(connection: Connection, tables: Sequence[KnownTable]) -> None:
    ready = every_value(connection, str, "streams/known/ready_streams")
    lacking = [table.name for table in tables if table.name not in ready]
    if lacking:
        starts = "; ".join(f"`lineage stream start {name}`" for name in lacking)
        raise NeedsOperator(
            f"What was known at a moment is read from changelog streams, and these are off, or begin anew:"
            f" {', '.join(lacking)}. {starts}; then `lineage stream publish`. It is known from then on"
        )


def _publication(connection: Connection, names: Sequence[str], moment: datetime) -> datetime:
    """The last publication by the moment. Raises NotInStore where it lacks a stream, or is not known to be the last."""
    found = moments.publication_by(connection, moment)
    if found is None or not set(names) <= set(found.streams):
        later = moments.whole_from(connection, names, moment)
        since = f": it is known from {later.isoformat()} on" if later else ""
        raise NotInStore(
            f"What was known at {moment.isoformat()} is not kept, as these streams were not all published then:"
            f" {', '.join(names)}{since}"
        )
    if found.is_last and moment > found.known_until:
        raise NotInStore(
            f"What was known at {moment.isoformat()} is not published yet, but only until"
            f" {found.known_until.isoformat()}: run `lineage stream publish`, and ask again"
        )
    return found.system_time


def _show(connection: Connection, root: FileFolder, table: KnownTable, published: datetime) -> None:
    names = _names(table)
    connection.execute(composed("streams/known/make_changed", **names))
    _copy_records(connection, root, table, published)
    head = heads.head(connection, table.name)
    execute(
        connection,
        composed("streams/known/unpublished", **names),
        {"published": head.published if head else None},
    )
    for step in ("index_changed", "rows_then", "view"):
        connection.execute(composed(f"streams/known/{step}", **names))
    for on in _indexes(table):
        connection.execute(sql.SQL("CREATE INDEX ON {} {}").format(names["gone"], sql.SQL(on)))
    connection.execute(sql.SQL("ANALYZE {}, {}").format(names["changed"], names["gone"]))


def _copy_records(connection: Connection, root: FileFolder, table: KnownTable, published: datetime) -> None:
    copied = sql.SQL("COPY {} (place, was_there, {}) FROM STDIN").format(
        sql.Identifier(f"{table.name}_changed"), _columns(table.columns)
    )
    parts = heads.parts(connection, table.name)
    migration = stream_schemas(connection, table.name).to_latest()
    with connection.cursor().copy(copied) as copy:
        for row in _changes(root, table, parts, migration, published):
            copy.write_row(row)


def _changes(
    root: FileFolder,
    table: KnownTable,
    parts: Sequence[heads.PublishedPart],
    migration: DataMigration,
    published: datetime,
) -> Iterator[tuple[Any, ...]]:
    """Of each record behind a publication: its offset, whether the row was there before it, and the row. That a row is
    there after a correction follows from what comes behind it, and is left out.
    """

    def system_times(part: heads.PublishedPart) -> Any:
        (records,) = published_tables(table.name, root, [part], migration)
        return records.column(_SYSTEM_TIME)

    begin = offset_at(published + _MILLISECOND, parts, system_times)
    later = [part for part in parts if part.end_offset >= begin]
    for records in published_tables(table.name, root, later, migration):
        columns = [records.column(name).to_pylist() for name in (_OFFSET, _OPERATION, *table.columns)]
        for offset, operation, *values in zip(*columns, strict=True):
            if offset >= begin and operation != _CORRECT_TO:
                yield offset, operation != _APPEND, *values


_APPEND, _CORRECT_TO = 0, 3


def _names(table: KnownTable) -> dict[str, sql.Composable]:
    declared, columns = table_named(table.name), {one.name: one for one in stream_named(table.name).columns}
    key = declared.primary_key
    return {
        "table": sql.Identifier("public", table.name),
        "changes": sql.Identifier("changes", table.name),
        "changed": sql.Identifier("pg_temp", f"{table.name}_changed"),
        "gone": sql.Identifier("pg_temp", f"{table.name}_then"),
        "view": sql.Identifier("pg_temp", table.name),
        "columns": _columns(table.columns),
        "key": _columns(key),
        "changed_key": sql.SQL(", ").join(sql.Identifier("changed", name) for name in key),
        "row_key": sql.SQL(", ").join(sql.Identifier("kept", name) for name in key),
        "in_order": sql.SQL(", ").join(_in_order(columns[name]) for name in key),
    }


def _columns(names: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _in_order(column: StreamColumn) -> sql.Composed:
    collation = sql.SQL(' COLLATE "C"' if column.type in (TEXT, VARCHAR) else "")
    return sql.SQL("{}{}").format(sql.Identifier(column.name), collation)


def _indexes(table: KnownTable) -> Iterator[str]:
    """Those that the table has, as far as its columns are read, so that it is read as fast as the table is."""
    declared = table_named(table.name)
    yield f"({', '.join(declared.primary_key)})"
    for index in declared.indexes:
        if set(re.findall(r"\w+", index.on)) <= set(table.columns):
            yield index.on
