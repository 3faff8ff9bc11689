"""What is to be published of a stream, as one transaction sees it: the net of what was captured, or all there is."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from psycopg import sql

from lineage_core.declare.database_names import CHANGES
from lineage_core.declare.streams import DeclaredStream, StreamColumn, captured_table, captured_tables
from lineage_core.declare.vocabulary import Table
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, execute, one_row, one_value
from lineage_core.streams import columns

CHUNK_BYTES = 32 << 20
"""Text of records that one part has, about; at least one record."""

CHUNK_RECORDS = 1 << 19

SEES_NOTHING = "1:1:"
"""The snapshot that has seen no transaction."""

_CORRECT_TO = b"3"


@dataclass(frozen=True)
class StreamDifferences:
    """Rows by which a table and its stream differ."""

    only_in_table: int
    only_in_stream: int


@dataclass(frozen=True)
class RecordLines:
    """Records of a stream as lines of CSV: the number of the transaction, the operation, the event time in milliseconds
    since 1970, and the columns of the stream."""

    text: bytes
    ends_commit: bool
    """Whether the next record is one of another transaction."""


def has_changes(connection: Connection, stream: DeclaredStream, published: str) -> bool:
    """Whether there is anything that the snapshot of what is published does not see."""
    return waiting_changes(connection, stream, published, 1) > 0


def waiting_changes(connection: Connection, stream: DeclaredStream, published: str, most: int) -> int:
    """How many changes, or raw events, that snapshot does not see; of each captured table `most` are counted."""
    parameters = {"published": published, "most": most}
    if stream.is_log:
        arrived = composed("streams/waiting_raw_events", events=_raw_events(stream))
        return one_value(connection, int, arrived, parameters)
    return sum(
        one_value(connection, int, composed("streams/waiting_changes", changes=_changes(name)), parameters)
        for name in stream.captured
    )


def forget_published(connection: Connection) -> None:
    """Removes the changes that no stream needs any more. They are locked by no one: a writer only adds some."""
    for captured in captured_tables():
        forget = composed("streams/forget_changes", changes=_changes(captured.table.name))
        execute(connection, forget, {"streams": list(captured.streams)})


def forget_foreign(connection: Connection, stream: DeclaredStream) -> None:
    """Removes the changes of a stream whose head is of another cluster, as the numbers of their transactions are. The
    stream begins anew, so nothing of them is lost: the table has them.
    """
    for name in (*stream.captured, *stream.contents):
        execute(connection, composed("streams/forget_foreign", changes=_changes(name)), {"stream": stream.name})


def changed_records(connection: Connection, stream: DeclaredStream, published: str) -> Generator[RecordLines]:
    """The records of all transactions that the snapshot does not see, and that this transaction does."""
    commits = composed("streams/no_commits") if stream.is_log else _commits(stream)
    images = _images(stream, _unpublished_rows(stream))
    yield from _records(connection, stream, commits, images, {"published": published})


def differing_records(connection: Connection, stream: DeclaredStream) -> Generator[RecordLines]:
    """The records, as of one transaction, that lead from what is published (`published_records`) to what is there."""
    commits = composed("streams/no_commits")
    published = composed("streams/published_images", columns=_names(stream.columns))
    images = sql.SQL(" UNION ALL ").join([_images(stream, _rows_there(stream)), published])
    yield from _records(connection, stream, commits, images, {})


def stream_differences(connection: Connection, stream: DeclaredStream, published: str) -> StreamDifferences:
    """How what is published (`published_records`) differs from what is there, but for what waits to be published."""
    commits = composed("streams/no_commits") if stream.is_log else _commits(stream)
    waiting = composed(
        "streams/taken_away", columns=_names(stream.columns), images=_images(stream, _unpublished_rows(stream))
    )
    there = _images(stream, _rows_there(stream))
    published_images = composed("streams/published_images", columns=_names(stream.columns))
    query = composed(
        "streams/differences",
        commits=commits,
        images=sql.SQL(" UNION ALL ").join([there, published_images, waiting]),
        columns=_names(stream.columns),
    )
    return one_row(connection, StreamDifferences, query, {"published": published})


def keep_published(connection: Connection, stream: DeclaredStream, chunks: Iterable[bytes]) -> None:
    """Makes `published_records`, until the transaction ends, of lines of CSV: operation, event time, and columns."""
    declared = [
        sql.SQL("{} {}").format(sql.Identifier(column.name), sql.SQL(columns.travelling_type(column.type)))
        for column in stream.columns
    ]
    made = sql.SQL("CREATE TEMP TABLE published_records (op integer, event_time bigint, {}) ON COMMIT DROP")
    connection.execute(made.format(sql.SQL(", ").join(declared)))
    with connection.cursor().copy("COPY published_records FROM STDIN (FORMAT csv)") as copy:
        for chunk in chunks:
            copy.write(chunk)
    connection.execute("ANALYZE published_records")


def _records(
    connection: Connection,
    stream: DeclaredStream,
    commits: sql.Composed,
    images: sql.Composable,
    parameters: dict[str, str],
) -> Generator[RecordLines]:
    records = composed(
        "streams/records",
        commits=commits,
        images=images,
        columns=_names(stream.columns),
        # A raw event that is published stays so, also when retention has deleted it.
        is_changed=sql.SQL("sum(copies) > 0" if stream.is_log else "sum(copies) <> 0"),
        operation=sql.SQL(columns.operation(stream.key)),
        place=sql.SQL(columns.place(stream.columns, stream.key)),
    )
    with connection.cursor().copy(sql.SQL("COPY ({}) TO STDOUT (FORMAT csv)").format(records), parameters) as copy:
        yield from _chunks(bytes(line) for line in copy)


def _chunks(lines: Iterable[bytes]) -> Generator[RecordLines]:
    """Lines in chunks that divide no pair of corrections. libpq gives each row as one piece."""
    chunk: list[bytes] = []
    size = 0
    for line in lines:
        if chunk and (size >= CHUNK_BYTES or len(chunk) >= CHUNK_RECORDS):
            commit, operation, _ = line.split(b",", 2)
            if operation != _CORRECT_TO:
                yield RecordLines(b"".join(chunk), chunk[-1].partition(b",")[0] != commit)
                chunk, size = [], 0
        chunk.append(line)
        size += len(line)
    if chunk:
        yield RecordLines(b"".join(chunk), True)


def _images(stream: DeclaredStream, rows: sql.Composable) -> sql.Composed:
    return composed(
        "streams/images",
        event_time=sql.SQL(columns.event_time(stream.columns, stream.event_time)),
        columns=sql.SQL(", ").join(sql.SQL(columns.travelling(column)) for column in stream.columns),
        rows=rows,
    )


def _rows(stream: DeclaredStream, sources: dict[str, sql.Composable]) -> sql.Composed:
    """The rows of the stream, made of rows of the captured tables."""
    if stream.captured == (stream.name,):
        (source,) = sources.values()
        names = sql.SQL(", ").join(sql.Identifier(column.name) for column in captured_table(stream.name).columns)
        return composed("streams/images_of_table", columns=names, table=_within(source))
    contents = {name: _within(_contents(name)) for name in stream.contents}
    return composed(
        f"streams/images/{stream.name}", **{name: _within(one) for name, one in sources.items()}, **contents
    )


def _unpublished_rows(stream: DeclaredStream) -> sql.Composed:
    if stream.is_log:
        return _raw_events(stream)
    return _rows(stream, {name: _changed_rows(name) for name in stream.captured})


def _rows_there(stream: DeclaredStream) -> sql.Composed:
    if stream.is_log:
        return composed("streams/rows_there", columns=_needed(stream), table=sql.Identifier(stream.name))
    return _rows(stream, {name: _there(name) for name in stream.captured})


def _there(name: str) -> sql.Composed:
    return composed("streams/rows_there", columns=_as_captured(name), table=sql.Identifier(name))


def _changed_rows(name: str) -> sql.Composed:
    names = sql.SQL(", ").join(sql.Identifier("changed", column.name) for column in captured_table(name).columns)
    return composed("streams/changed_rows", columns=names, changes=_changes(name))


def _raw_events(stream: DeclaredStream) -> sql.Composed:
    return composed("streams/raw_events", columns=_needed(stream), table=sql.Identifier(stream.name))


def _needed(stream: DeclaredStream) -> sql.Composed:
    """The columns of a stream whose table is its log, and those that say the event time."""
    names = dict.fromkeys([*stream.event_time, *(column.name for column in stream.columns)])
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _contents(name: str) -> sql.Composed:
    captured = captured_table(name)
    return composed(
        "streams/contents",
        columns=_as_captured(name),
        names=sql.SQL(", ").join(sql.Identifier(column.name) for column in captured.columns),
        table=sql.Identifier(name),
        changes=_changes(name),
        stored_key=_key("stored", captured.table),
        removed_key=_key("removed", captured.table),
    )


def _key(alias: str, table: Table) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(alias, name) for name in table.primary_key)


def _commits(stream: DeclaredStream) -> sql.Composed:
    numbers = [sql.SQL("SELECT change_xid, change_number FROM {}").format(_changes(name)) for name in stream.captured]
    return composed("streams/commits", changes=sql.SQL(" UNION ALL ").join(numbers))


def _as_captured(name: str) -> sql.Composed:
    """The columns of a table as its images have them."""
    captured = captured_table(name)
    images = [
        sql.SQL("{}::{} AS {}").format(
            sql.Identifier(column.name), sql.SQL(captured.type_of(column).sql), sql.Identifier(column.name)
        )
        for column in captured.columns
    ]
    return sql.SQL(", ").join(images)


def _changes(name: str) -> sql.Identifier:
    return sql.Identifier(CHANGES, name)


def _names(streamed: Iterable[StreamColumn]) -> sql.Composed:
    return sql.SQL(", ").join(sql.Identifier(column.name) for column in streamed)


def _within(query: sql.Composable) -> sql.Composed:
    return sql.SQL("({})").format(query)
