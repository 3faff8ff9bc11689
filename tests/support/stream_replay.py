"""Streams replayed by the plainest of means, and what their tables hold, to be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pyarrow.parquet as pq
from psycopg import sql

from lineage_core.declare.streams import DeclaredStream, all_streams
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.streams.store import heads, moments

State = Counter[tuple[Any, ...]]
"""Each row, as often as it is there."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def last_known(connection: Connection) -> datetime:
    """Until when it is known what was published."""
    last = moments.publication_by(connection, None)
    assert last is not None
    return last.known_until


class Replay:
    """A stream, applied record by record. What no table can do fails."""

    def __init__(self, stream: DeclaredStream) -> None:
        self.stream = stream
        self.state: State = Counter()
        self.keys: Counter[tuple[Any, ...]] = Counter()
        self.offset = 0
        self.system_time = _EPOCH
        self._corrected: dict[str, Any] | None = None

    def apply(self, record: dict[str, Any]) -> None:
        assert record["offset"] == self.offset, (self.stream.name, record["offset"], self.offset)
        assert record["system_time"] >= self.system_time
        self.offset += 1
        self.system_time = record["system_time"]
        assert (self._corrected is not None) == (record["op"] == 3), f"{self.stream.name}: a pair is divided"
        if record["op"] == 3:
            assert self._corrected is not None
            assert self._key(record) == self._key(self._corrected)
            assert self._image(record) != self._image(self._corrected)
        self._corrected = record if record["op"] == 2 else None
        self._count(record, 1 if record["op"] in (0, 3) else -1)

    def rows(self) -> State:
        """Without the event time, which no table has under that name."""
        assert self._corrected is None, f"{self.stream.name}: a pair is not complete"
        found: State = Counter()
        for image, copies in self.state.items():
            found[image[1:]] += copies
        return found

    def _count(self, record: dict[str, Any], copies: int) -> None:
        image, key = self._image(record), self._key(record)
        self.state[image] += copies
        assert self.state[image] >= 0, f"{self.stream.name}: {image} is retracted, and is not there"
        if not self.state[image]:
            del self.state[image]
        if self.stream.key:
            assert None not in key
            self.keys[key] += copies
            assert self.keys[key] <= 1, f"{self.stream.name}: {key} is there twice"

    def _image(self, record: dict[str, Any]) -> tuple[Any, ...]:
        return (record["event_time"], *(comparable(record[column.name]) for column in self.stream.columns))

    def _key(self, record: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(comparable(record[name]) for name in self.stream.key)


def comparable(value: Any) -> Any:
    if isinstance(value, datetime):
        whole = value if value.tzinfo else value.replace(tzinfo=UTC)
        return (whole - _EPOCH) // (datetime.resolution)
    if isinstance(value, list):
        return tuple(value)
    return str(value) if isinstance(value, UUID) else value


def stored(connection: Connection, stream: DeclaredStream) -> State:
    """What the table or view has, by the plainest query."""
    columns = [
        sql.SQL("{}::text").format(sql.Identifier(column.name))
        if column.type.sql in ("jsonb", "character(36)")
        else sql.Identifier(column.name)
        for column in stream.columns
    ]
    query = sql.SQL("SELECT {} FROM {}").format(sql.SQL(", ").join(columns), sql.Identifier(stream.name))
    return Counter(tuple(comparable(value) for value in row) for row in connection.execute(query))


def all_stored(store: Store) -> dict[str, State]:
    with store.connect() as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        return {stream.name: stored(connection, stream) for stream in all_streams()}


def replayed_commits(store: Store, root: Path, stream: DeclaredStream) -> Iterator[State]:
    """The rows after each transaction that the stream has, in its order; before all, none."""
    replay = Replay(stream)
    yield replay.rows()
    with store.connect() as connection:
        parts = heads.parts(connection, stream.name)
        head = heads.head(connection, stream.name)
    for part in parts:
        ends = set(part.commit_ends)
        for record in pq.read_table(root / part.path).to_pylist():
            replay.apply(record)
            if record["offset"] in ends:
                yield replay.rows()
        assert replay.offset == part.end_offset + 1
    assert head is None or head.next_offset == replay.offset


def last_of(store: Store, root: Path, stream: DeclaredStream) -> State:
    *_, last = replayed_commits(store, root, stream)
    return last


def differing_streams(store: Store, root: Path) -> dict[str, tuple[State, State]]:
    """For each stream whose replay is not its table: what only the table has, and what only the stream has."""
    found = {}
    tables = all_stored(store)
    for stream in all_streams():
        replayed = last_of(store, root, stream)
        there = tables[stream.name]
        if replayed != there:
            found[stream.name] = (there - replayed, replayed - there)
    return found
