"""Arrays of ids in the text form that Postgres reads."""

from __future__ import annotations

from lineage_core.postgres.arrays import bytea_array, uuid_array


def test_uuids_stand_in_braces_in_their_order() -> None:
    first, second = "00000000-0000-0000-0000-000000000001", "00000000-0000-0000-0000-000000000002"
    assert uuid_array(iter([second, first])) == f"{{{second},{first}}}"
    assert uuid_array([]) == "{}"


def test_bytes_are_quoted_digits() -> None:
    assert bytea_array([b"\x00,}", b""]) == r'{"\\x002c7d","\\x"}'
    assert bytea_array([]) == "{}"
