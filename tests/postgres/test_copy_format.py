"""What is written in the binary COPY format is what Postgres reads."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core.declare.vocabulary import (
    BIGINT,
    BOOLEAN,
    BYTEA,
    INTEGER,
    JSONB,
    SAME,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Type,
    Wire,
    varchar,
)
from lineage_core.openlineage.instants import parse_instant
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.copy_format import HEADER, TRAILER, row_encoder
from lineage_core.postgres.store import Store

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

TYPES: dict[str, Type] = {
    "uuid": UUID,
    "text": TEXT,
    "varchar": VARCHAR,
    "short": varchar(8),
    "padded": Type("character(36)", Wire.TEXT),
    "jsonb": JSONB,
    "bytea": BYTEA,
    "boolean": BOOLEAN,
    "integer": INTEGER,
    "bigint": BIGINT,
    "at": TIMESTAMPTZ,
    "at_utc": TIMESTAMP,
}
COLUMNS = [Column(name, type_, SAME, "A column.") for name, type_ in TYPES.items()]
ENCODE = row_encoder(COLUMNS)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
INSTANTS = st.integers(parse_instant("0001-01-01T00:00:00Z", "$"), parse_instant("9999-12-31T23:59:59.999999Z", "$"))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "uuid": st.binary(min_size=16, max_size=16),
    "text": TEXTS,
    "varchar": TEXTS,
    "short": st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=8),
    "padded": st.uuids().map(str),
    "jsonb": JSON.map(lambda value: json.dumps(value).encode()),
    "bytea": st.binary(),
    "boolean": st.booleans(),
    "integer": st.integers(-(1 << 31), (1 << 31) - 1),
    "bigint": st.integers(-(1 << 63), (1 << 63) - 1),
    "at": INSTANTS,
    "at_utc": INSTANTS,
}
ROWS = st.fixed_dictionaries({name: st.none() | values for name, values in VALUES.items()})


@pytest.fixture
def connection(database: Store) -> Iterator[Connection]:
    with database.connect(autocommit=True) as opened:
        written = ", ".join(f'"{name}" {type_.sql}' for name, type_ in TYPES.items())
        opened.execute(f"CREATE TEMP TABLE written (place serial, {written})".encode())
        yield opened


def copied(connection: Connection, rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    names = ", ".join(f'"{name}"' for name in TYPES)
    connection.execute("TRUNCATE written")
    with connection.cursor().copy(f"COPY written ({names}) FROM STDIN (FORMAT BINARY)".encode()) as copy:
        copy.write(HEADER)
        for row in rows:
            copy.write(ENCODE(row))
        copy.write(TRAILER)
    return connection.execute(f"SELECT {names} FROM written ORDER BY place".encode()).fetchall()


def as_read(name: str, value: Any) -> Any:
    if value is None:
        return None
    match TYPES[name].wire:
        case Wire.UUID:
            return uuid.UUID(bytes=value)
        case Wire.JSONB:
            return json.loads(value)
        case Wire.INSTANT:
            moment = EPOCH + timedelta(microseconds=value)
            return moment if name == "at" else moment.replace(tzinfo=None)
        case _:
            return value


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(ROWS, max_size=3))
@example(rows=[dict.fromkeys(TYPES)])
@example(rows=[{}])
@example(rows=[{"at": 0, "at_utc": 0}, {"at": -1, "at_utc": 946_684_800_000_000}])
@example(rows=[{"text": "", "bytea": b"", "boolean": False, "integer": 0, "jsonb": b"null"}])
def test_every_value_of_every_type_comes_back(connection: Connection, rows: list[dict[str, Any]]) -> None:
    assert copied(connection, rows) == [tuple(as_read(name, row.get(name)) for name in TYPES) for row in rows]


def test_numbers_of_json_keep_their_digits(connection: Connection) -> None:
    copied(connection, [{"jsonb": b'{"a": 1.00, "b": 12345678901234567890.5, "c": 1E+2}'}])
    row = connection.execute("SELECT jsonb::text FROM written").fetchone()
    assert row == ('{"a": 1.00, "b": 12345678901234567890.5, "c": 100}',)


def test_order_bytes_sort_in_postgres_as_in_python(connection: Connection) -> None:
    orders = [bytes((flag, 0x7F + sign)) + bytes(24) for flag in range(3) for sign in range(3)]
    copied(connection, [{"bytea": order} for order in reversed(orders)])
    rows = connection.execute("SELECT bytea FROM written ORDER BY bytea").fetchall()
    assert [bytes(row[0]) for row in rows] == orders


def test_a_text_that_postgres_cannot_hold_is_an_error_not_another_text(connection: Connection) -> None:
    with pytest.raises(psycopg.DataError):
        copied(connection, [{"text": "a\x00b"}])
