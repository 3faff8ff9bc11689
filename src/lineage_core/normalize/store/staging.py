"""One task of a slice: reads its events by COPY, makes and folds their rows, and stages them by COPY.

No row of an event enters a JVM, and none reaches the driver: what comes back are counts.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Self

from psycopg import sql
from psycopg.types.json import Jsonb

from lineage_core import quarantine, statements
from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import BIGINT, INTEGER, KEY, Column, Row, Table
from lineage_core.errors import RejectedEvent
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.model.folding import Fold, RowMakers
from lineage_core.model.mention_rows import Sightings
from lineage_core.normalize.store.event_choices import Horizons, prefer_indexes, settled
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.copy_format import HEADER, TRAILER, row_encoder
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import execute, marked_values, one_value

_BUFFERED = 4 << 20
"""Bytes of rows that are gathered for one COPY."""

_PARSED = 1 << 20
"""Bytes of events whose verdicts are looked up together."""

_HELD = 16 << 20
"""Bytes of events whose folded rows are held. The merge folds again, so to stage a key twice is safe."""


@dataclass(frozen=True)
class StagingTask:
    """What a task has to know: where to stage, and by which statement to read.

    apart: in a process of its own.
    """

    store: Store
    schema: str
    epoch: int
    slice: int
    partition: int
    statement: str
    parameters: Mapping[str, Any]
    apart: bool = False


@dataclass(frozen=True)
class StagedPart:
    """What a task did: the id that its staged rows bear, and how many there are of each table."""

    partition: int
    part_id: int
    events: int
    quarantined: int
    expired: int
    rows: Mapping[str, int]


def stage(task: StagingTask) -> StagedPart:
    """Stages one part. Each attempt has a part id of its own, and merges take accepted ids only: repeating is safe."""
    with (
        task.store.connect(application_name="lineage reads") as reading,
        task.store.connect() as writing,
        _Aside(task.store) as aside,
        _rare_collections(),
    ):
        part = _Part(writing, task.schema, one_value(writing, int, "normalize/next_part"), aside)
        for text, is_ahead in _documents(reading, task):
            part.add(text, is_ahead=is_ahead)
        part.finish()
        _declare(writing, task, part)
    return StagedPart(task.partition, part.id, part.events, part.quarantined, part.expired, part.staged)


_RARELY = (50_000, 20, 100)
"""As `gc.set_threshold` takes it: new objects between two looks for circles, and looks between two at older objects."""


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Rows are in no circles, and go at once. A look for circles passes all that is remembered, and finds none."""
    before = gc.get_threshold()
    gc.set_threshold(*_RARELY)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _documents(connection: Connection, task: StagingTask) -> Iterator[tuple[bytes, bool]]:
    """Text and verdict of each event."""
    prefer_indexes(connection)
    return marked_values(connection, task.statement, task.parameters)


def _declare(connection: Connection, task: StagingTask, part: _Part) -> None:
    """Writes the manifest, by which a merge knows a part that a crash has emptied."""
    declared = {
        "part_id": part.id,
        "epoch": task.epoch,
        "slice": task.slice,
        "partition": task.partition,
        "rows": Jsonb(part.staged),
    }
    execute(connection, "normalize/declare_part", declared)


class _Aside:
    """Puts events into quarantine, each in a transaction of its own.

    Two parts that hold the same bad events in different orders would else wait for each other for ever.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._connection: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def put(self, refused: RefusedDocument) -> None:
        if self._connection is None:
            self._connection = self._store.connect(application_name="lineage quarantines", autocommit=True)
        quarantine.put(self._connection, [refused])


class _Part:
    """Takes events one by one; all rows of an event, or none."""

    def __init__(self, connection: Connection, schema: str, part_id: int, aside: _Aside) -> None:
        self.id = part_id
        self.events = 0
        self.quarantined = 0
        self.expired = 0
        self._connection = connection
        self._horizons = Horizons(connection)
        self._aside = aside
        self._parsed: list[tuple[bytes, Event]] = []
        self._parsed_bytes = 0
        self._held = 0
        self._sightings = Sightings()
        filled = [table for table in all_tables() if table.rows is not None]
        self._makers = RowMakers(filled)
        self._tables = [_StagedTable(connection, schema, table, part_id) for table in filled]

    @property
    def staged(self) -> dict[str, int]:
        return {table.name: table.rows for table in self._tables}

    def add(self, text: bytes, *, is_ahead: bool) -> None:
        try:
            event = parse(text, is_ahead=is_ahead)
        except RejectedEvent as error:
            self._quarantine(text, error)
            return
        self._parsed.append((text, event))
        self._parsed_bytes += len(text)
        if self._parsed_bytes >= _PARSED:
            self._take_parsed()

    def finish(self) -> None:
        """Stages all that is held."""
        self._take_parsed()
        self._stage_held()

    def _take_parsed(self) -> None:
        parsed, self._parsed, self._parsed_bytes = self._parsed, [], 0
        events = settled(self._connection, [event for _, event in parsed])
        known = list(zip((text for text, _ in parsed), events, strict=True))
        expired = self._horizons.expired(known)
        for text, event in known:
            if event.identity in expired:
                self.expired += 1
            else:
                self._take(text, event)

    def _take(self, text: bytes, event: Event) -> None:
        unseen = [mention for mention in event.mentions if not self._sightings.know(mention)]
        try:
            made = self._makers.rows(event, unseen)
        except RejectedEvent as error:
            self._quarantine(text, error)
            return
        self._sightings.note(event)
        self.events += 1
        for table, rows in zip(self._tables, made, strict=True):
            if rows:
                table.take(self.events, rows)
        self._held += len(text)
        if self._held >= _HELD:
            self._stage_held()

    def _stage_held(self) -> None:
        for mention, moment in self._sightings.drain():
            for place, row in self._makers.of_mention(mention, moment):
                self._tables[place].fold(row)
        for table in self._tables:
            table.finish()
        self._held = 0

    def _quarantine(self, text: bytes, error: RejectedEvent) -> None:
        self.quarantined += 1
        self._aside.put(RefusedDocument(text, error.reason, error.path, "lineage_events"))


_PART = Column("part_id", BIGINT, KEY, "The part.", nullable=False)
_NUMBER = Column("event_no", INTEGER, KEY, "The event's number in its part.", nullable=False)


class _StagedTable:
    """The rows of one table: folded until the end, or written as they come where a row is kept once an event."""

    def __init__(self, connection: Connection, schema: str, table: Table, part_id: int) -> None:
        self.name = table.name
        self.rows = 0
        self._connection = connection
        self._part_id = part_id
        self._fold = None if table.append else Fold(table)
        columns = (_PART, *((_NUMBER,) if table.append else ()), *table.staged)
        self._encode = row_encoder(columns)
        self._copy = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
            sql.Identifier(schema, table.name),
            sql.SQL(", ").join(sql.Identifier(column.name) for column in columns),
        )
        self._buffer: list[bytes] = []
        self._buffered = 0

    def take(self, number: int, rows: list[Row]) -> None:
        if self._fold is None:
            for row in rows:
                row["event_no"] = number
                self._write(row)
        else:
            for row in rows:
                self._fold.add(row)

    def fold(self, row: Row) -> None:
        """A row of a mention of which rows were taken with another moment; one that is not folded is there already."""
        if self._fold is not None:
            self._fold.add(row)

    def finish(self) -> None:
        for row in self._fold.drain() if self._fold else ():
            self._write(row)
        self._flush()

    def _write(self, row: Row) -> None:
        row["part_id"] = self._part_id
        encoded = self._encode(row)
        self._buffer.append(encoded)
        self._buffered += len(encoded)
        self.rows += 1
        if self._buffered >= _BUFFERED:
            self._flush()

    def _flush(self) -> None:
        if not self._buffer:
            return
        statements.announce("stage")
        with self._connection.cursor().copy(self._copy) as copy:
            copy.write(b"".join((HEADER, *self._buffer, TRAILER)))
        self._buffer.clear()
        self._buffered = 0
