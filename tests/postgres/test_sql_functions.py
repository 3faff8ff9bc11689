"""The SQL functions agree with their Python twins, whatever the text."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core import identity
from lineage_core.store.connection import Connection, connect

pytestmark = pytest.mark.postgres

# Postgres' text holds no NUL, and no surrogates.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
ORDER_MATTERS = st.sampled_from("a\x01\x7fé\ud7ff\ue000\ufffd\uffff\U00010000\U0001f600\U0010fffe\U0010ffff")
TEXTS = st.text(CHARACTERS | ORDER_MATTERS)
MANY = settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def connection(database: str) -> Iterator[Connection]:
    with connect(database, autocommit=True) as opened:
        yield opened


def _value(connection: Connection, query: str, *parameters: object) -> object:
    row = connection.execute(query.encode(), parameters).fetchone()
    assert row is not None
    return row[0]


@MANY
@given(name=TEXTS)
@example(name="")
@example(name="harvest:ü:😀")
def test_java_uuid(connection: Connection, name: str) -> None:
    assert _value(connection, "SELECT java_uuid(%s)", name) == uuid.UUID(bytes=identity.java_uuid(name))


def test_java_uuid_of_nothing_is_nothing(connection: Connection) -> None:
    assert _value(connection, "SELECT java_uuid(NULL)") is None


@MANY
@given(entity=TEXTS, key=st.lists(TEXTS | st.none(), max_size=5))
@example(entity="jobs", key=[])
@example(entity="dataset_fields", key=["ns", "1:a", None, "-", ""])
def test_key_uuid(connection: Connection, entity: str, key: list[str | None]) -> None:
    parts = [entity, *key]
    stored = _value(connection, "SELECT key_uuid(VARIADIC %s::text[])", parts)
    assert stored == uuid.UUID(bytes=identity.key_uuid(entity, *key))


def test_key_uuid_takes_its_parts_one_by_one(connection: Connection) -> None:
    stored = _value(connection, "SELECT key_uuid('dataset_fields', 'ns', NULL)")
    assert stored == uuid.UUID(bytes=identity.key_uuid("dataset_fields", "ns", None))


@MANY
@given(texts=st.lists(TEXTS, min_size=2, max_size=12, unique=True), seed=st.integers())
@example(texts=["\U0010ffff", "\ue000", "\U00010000", "\uffff", "\ud7ff"], seed=0)
@example(texts=["\U0010ffff\U0010ffff", "\U0010ffff", "\U0010ffff\x01", "\U0010ffff\ue000", "\uffff\U0010ffff"], seed=0)
def test_utf16_order(connection: Connection, texts: list[str], seed: int) -> None:
    expected = sorted(texts, key=identity.utf16_order)
    random.Random(seed).shuffle(texts)
    rows = connection.execute('SELECT t FROM unnest(%s::text[]) AS t ORDER BY utf16_order(t) COLLATE "C"', [texts])
    assert [text for (text,) in rows] == expected


def test_utf16_order_differs_from_code_points(connection: Connection) -> None:
    """What it is for: were the two orders equal here, plain COLLATE "C" would do."""
    astral, private = "\U00010000", "\ue000"
    rows = connection.execute('SELECT t FROM unnest(%s::text[]) AS t ORDER BY t COLLATE "C"', [[astral, private]])
    assert [text for (text,) in rows] == [private, astral]
    assert identity.utf16_order(astral) < identity.utf16_order(private)


@pytest.mark.parametrize("function", ["java_uuid", "key_uuid", "utf16_order"])
def test_they_may_stand_in_indexes_and_parallel_plans(connection: Connection, function: str) -> None:
    properties = connection.execute("SELECT provolatile, proparallel FROM pg_proc WHERE proname = %s", [function])
    assert properties.fetchall() == [("i", "s")]


def test_they_need_no_search_path(connection: Connection) -> None:
    connection.execute("SET search_path = pg_catalog")
    assert _value(connection, "SELECT public.java_uuid('a')") is not None
    assert _value(connection, "SELECT public.key_uuid('a', 'b')") is not None
    with pytest.raises(psycopg.errors.UndefinedFunction):
        connection.execute("SELECT java_uuid('a')")
