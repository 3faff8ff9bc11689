"""Rows in Postgres' binary COPY format, which costs the server less than text and needs no escapes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

from lineage_core.declare.vocabulary import Column, Row, Wire

HEADER = b"PGCOPY\n\xff\r\n\x00" + bytes(8)
TRAILER = b"\xff\xff"

_NULL = b"\xff\xff\xff\xff"
_POSTGRES_EPOCH = 946_684_800_000_000
"""Microseconds from 1970 to 2000, where Postgres counts from."""
_JSONB_VERSION = b"\x01"

_length = struct.Struct(">i").pack
_count = struct.Struct(">h").pack
_integer = struct.Struct(">ii").pack
_bigint = struct.Struct(">iq").pack
_array = struct.Struct(">iiIii").pack

_UUID_OID = 2950

_REPEATED = 4_096
_SHORT = 256
"""Characters of a text that is worth remembering: names and types come again at every event, long texts do not."""


def _bytes(value: bytes) -> bytes:
    return _length(len(value)) + value


@lru_cache(_REPEATED)
def _short_text(value: str) -> bytes:
    return _bytes(value.encode())


def _text(value: str) -> bytes:
    return _short_text(value) if len(value) <= _SHORT else _bytes(value.encode())


def _uuids(value: Sequence[bytes]) -> bytes:
    """An array of one dimension, which counts from 1, without nulls. One without elements would have no dimension."""
    elements = b"".join(map(_length(16).__add__, value))
    return _bytes(_array(1, 0, _UUID_OID, len(value), 1) + elements)


def _jsonb(value: bytes) -> bytes:
    return b"".join((_length(1 + len(value)), _JSONB_VERSION, value))


@lru_cache(_REPEATED)
def _instant(value: int) -> bytes:
    """All rows of an event have its time."""
    return _bigint(8, value - _POSTGRES_EPOCH)


_ENCODERS: dict[Wire, Callable[[Any], bytes]] = {
    Wire.UUID: _length(16).__add__,
    Wire.UUIDS: _uuids,
    Wire.BYTES: _bytes,
    Wire.TEXT: _text,
    Wire.JSONB: _jsonb,
    Wire.BOOLEAN: {False: b"\x00\x00\x00\x01\x00", True: b"\x00\x00\x00\x01\x01"}.__getitem__,
    Wire.INSTANT: _instant,
    Wire.INTEGER: partial(_integer, 4),
    Wire.BIGINT: partial(_bigint, 8),
}


def row_encoder(columns: Sequence[Column]) -> Callable[[Row], bytes]:
    """A function from a row to its bytes; a column that the row leaves out is null."""
    fields = [(column.name, _ENCODERS[column.type.wire]) for column in columns]
    start = _count(len(fields))

    def encode(row: Row) -> bytes:
        get = row.get
        values = [_NULL if (value := get(name)) is None else encoder(value) for name, encoder in fields]
        return start + b"".join(values)

    return encode
