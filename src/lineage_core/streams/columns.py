"""How values of streams travel: the SQL that gives each in a form that both CSV and Arrow have, exactly."""

from __future__ import annotations

from collections.abc import Sequence

from lineage_core.declare.streams import StreamColumn
from lineage_core.declare.vocabulary import (
    BIGINT,
    BOOLEAN,
    BYTEA,
    INTEGER,
    JSONB,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    DeclarationError,
    Type,
    Wire,
)

_TIMES = {TIMESTAMPTZ: "", TIMESTAMP: " AT TIME ZONE 'UTC'"}
_ARRAY_OF_TEXTS = "varchar[]"


def is_time(type_: Type) -> bool:
    return type_ in _TIMES


def is_list(type_: Type) -> bool:
    """Whether it is a list of texts."""
    return type_.sql == _ARRAY_OF_TEXTS


def travelling_type(type_: Type) -> str:
    """The type in SQL in which values travel. Times are microseconds since 1970, documents and lists their JSON."""
    if is_time(type_):
        return BIGINT.sql
    if type_ in (UUID, BOOLEAN, INTEGER, BIGINT, BYTEA):
        return type_.sql
    if type_ == JSONB or is_list(type_) or type_.wire is Wire.TEXT:
        return "text"
    raise DeclarationError(f"no stream has columns of {type_.sql} yet")


def travelling(column: StreamColumn) -> str:
    """The expression that makes the value travel, with the name of the column."""
    return f"{_expression(column.name, column.type)} AS {column.name}"


def _expression(name: str, type_: Type) -> str:
    if is_time(type_):
        return f"stream_instant({name}{_TIMES[type_]})"
    if is_list(type_):
        return f"to_jsonb({name})::text"
    return f"{name}::{travelling_type(type_)}"


def event_time(columns: Sequence[StreamColumn], named: Sequence[str]) -> str:
    """The expression of the event time in milliseconds, cut and not rounded: the first of these that is not null."""
    if not named:
        return "NULL::bigint"
    types = {column.name: column.type for column in columns}
    times = [f"stream_instant({name}{_TIMES[types.get(name, TIMESTAMPTZ)]})" for name in named]
    return f"floor(coalesce({', '.join(times)})::numeric / 1000)::bigint"


def place(columns: Sequence[StreamColumn], key: Sequence[str]) -> str:
    """Where a record stands among those of its transaction: by its key, a correction after what it corrects. Without a
    key, retractions come first."""
    if key:
        return ", ".join([*(_sorted(column) for column in columns if column.name in key), "op"])
    rest = [_sorted(column) for column in columns if column.type != JSONB]
    return ", ".join(["op DESC", "event_time", *rest])


def _sorted(column: StreamColumn) -> str:
    return column.name + (' COLLATE "C"' if travelling_type(column.type) == "text" else "")


def operation(key: Sequence[str]) -> str:
    """The number of the operation of an image. See `changelog.operations`."""
    alone = "CASE WHEN copies < 0 THEN 1 ELSE 0 END"
    if not key:
        return alone
    partition = ", ".join(["commit_number", *key])
    paired = "CASE WHEN copies < 0 THEN 2 ELSE 3 END"
    return f"CASE WHEN count(*) OVER (PARTITION BY {partition}) > 1 THEN {paired} ELSE {alone} END"
