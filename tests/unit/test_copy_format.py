"""The bytes of rows in Postgres' binary COPY format; that Postgres reads them is tested in tests/postgres."""

from __future__ import annotations

import pytest

from lineage_core.declare.tables import all_tables
from lineage_core.declare.vocabulary import BIGINT, BOOLEAN, INTEGER, SAME, TEXT, UUID, Column
from lineage_core.postgres.copy_format import HEADER, TRAILER, row_encoder


def columns(**types: object) -> list[Column]:
    return [Column(name, type_, SAME, "A column.") for name, type_ in types.items()]  # type: ignore[arg-type]


def test_the_frame_is_the_documented_one() -> None:
    assert (len(HEADER), HEADER[:11], HEADER[11:], TRAILER) == (19, b"PGCOPY\n\xff\r\n\0", bytes(8), b"\xff\xff")


def test_a_row_is_its_count_of_columns_and_each_value_with_its_length() -> None:
    encode = row_encoder(columns(a=TEXT, b=INTEGER))
    assert encode({"a": "é", "b": -2}) == b"\0\2" + b"\0\0\0\2" + "é".encode() + b"\0\0\0\4\xff\xff\xff\xfe"


def test_null_and_absent_are_alike_and_unlike_empty_and_false() -> None:
    encode = row_encoder(columns(a=TEXT, b=BOOLEAN))
    assert encode({"a": None}) == encode({}) == b"\0\2" + b"\xff\xff\xff\xff" * 2
    assert encode({"a": "", "b": False}) == b"\0\2" + b"\0\0\0\0" + b"\0\0\0\1\0"


def test_columns_come_in_their_order_and_others_not_at_all() -> None:
    encode = row_encoder(columns(b=UUID, a=BIGINT))
    assert (
        encode({"a": 1, "b": b"\1" * 16, "c": "more"})
        == b"\0\2\0\0\0\x10" + b"\1" * 16 + b"\0\0\0\x08" + bytes(7) + b"\1"
    )


@pytest.mark.parametrize("table", [table for table in all_tables() if table.rows], ids=lambda table: table.name)
def test_every_table_that_events_fill_can_be_written(table) -> None:  # type: ignore[no-untyped-def]
    assert row_encoder(table.staged)({})[:2] == len(table.staged).to_bytes(2)
