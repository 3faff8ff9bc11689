"""The changelog streams of our own tables, as their tables and views declare them, and what is captured for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from lineage_core.declare.tables import all_tables, table_named
from lineage_core.declare.views import all_views
from lineage_core.declare.vocabulary import JSONB, TEXT, Column, DeclarationError, Table, Type

SYSTEM_COLUMNS = ("offset", "op", "system_time", "event_time")
"""Those that every stream has before its own."""


@dataclass(frozen=True)
class StreamColumn:
    """A column of a changelog stream."""

    name: str
    type: Type
    nullable: bool


@dataclass(frozen=True)
class DeclaredStream:
    """A changelog stream: what it publishes of which table or view."""

    name: str
    """That of its table or view."""
    columns: tuple[StreamColumn, ...]
    """Without those that every stream has."""
    key: tuple[str, ...]
    """The columns that name a row. Without any, the stream has the retract form."""
    event_time: tuple[str, ...]
    """The columns of the table that say when a row happened; the first that is not null counts."""
    captured: tuple[str, ...]
    """The tables whose changes it publishes; none if its table is the log of its changes."""
    contents: tuple[str, ...] = ()
    """The tables of what its rows mean, whose rows never change."""

    @property
    def is_log(self) -> bool:
        return not self.captured

    @property
    def is_of_table(self) -> bool:
        """Whether it is of a table, and not of a view, which computes its rows."""
        return self.is_log or self.captured == (self.name,)


@dataclass(frozen=True)
class CapturedTable:
    """A table whose changes are captured, in a table of the same name in the schema `changes`."""

    table: Table
    columns: tuple[Column, ...]
    streams: tuple[str, ...]
    """While any of these is on, changes are captured."""
    is_content: bool = field(default=False)
    """Whether only what is removed is captured: a row that is there can be read where it is."""

    def type_of(self, column: Column) -> Type:
        """Its type among the changes. A document is kept as its text: two that are equal may be written otherwise."""
        return TEXT if column.type == JSONB else column.type


@cache
def all_streams() -> tuple[DeclaredStream, ...]:
    """Every declared stream, by name."""
    return tuple(sorted((*_of_tables(), *_of_views()), key=lambda stream: stream.name))


@cache
def captured_tables() -> tuple[CapturedTable, ...]:
    """Every table whose changes some stream needs, by name."""
    columns: dict[str, dict[str, set[str]]] = {}
    contents: set[str] = set()
    for table in all_tables():
        if table.stream is not None and not table.stream.is_log:
            columns.setdefault(table.name, {})[table.name] = {column.name for column in table.streamed}
    for view in all_views():
        if view.stream is not None:
            contents |= view.stream.contents.keys()
            for name, needed in (*view.stream.captured.items(), *view.stream.contents.items()):
                columns.setdefault(name, {})[view.name] = set(needed)
    return tuple(_captured(name, streams, name in contents) for name, streams in sorted(columns.items()))


def captured_table(name: str) -> CapturedTable:
    return next(captured for captured in captured_tables() if captured.table.name == name)


def _captured(name: str, streams: Mapping[str, set[str]], is_content: bool) -> CapturedTable:
    table = table_named(name)
    wanted = set().union(*streams.values())
    unknown = wanted - {column.name for column in table.columns}
    if unknown:
        raise DeclarationError(f"streams need {sorted(unknown)} of {name}, which has no such column")
    if is_content and table.stream is not None:
        raise DeclarationError(f"{name} holds contents of other streams, so it cannot have one of its own")
    columns = tuple(column for column in table.columns if column.name in wanted)
    return CapturedTable(table, columns, tuple(sorted(streams)), is_content)


def _of_tables() -> Iterator[DeclaredStream]:
    for table in all_tables():
        if table.stream is not None:
            yield _checked(
                DeclaredStream(
                    name=table.name,
                    columns=tuple(StreamColumn(one.name, one.type, one.nullable) for one in table.streamed),
                    key=table.primary_key if table.stream.has_key else (),
                    event_time=table.stream.event_time,
                    captured=() if table.stream.is_log else (table.name,),
                )
            )


def _of_views() -> Iterator[DeclaredStream]:
    for view in all_views():
        declared = view.stream
        if declared is not None:
            yield _checked(
                DeclaredStream(
                    name=view.name,
                    columns=tuple(
                        StreamColumn(name, type_, name not in declared.key) for name, type_ in declared.columns.items()
                    ),
                    key=declared.key,
                    event_time=declared.event_time,
                    captured=tuple(declared.captured),
                    contents=tuple(declared.contents),
                )
            )


def _checked(stream: DeclaredStream) -> DeclaredStream:
    taken = {column.name for column in stream.columns} & set(SYSTEM_COLUMNS)
    if taken:
        raise DeclarationError(f"the stream {stream.name} has {sorted(taken)}, which every stream has anyway")
    return stream
