"""The SQL functions agree with their Python twins, whatever the text."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core import statements
from lineage_core.declare.database_names import STAGING
from lineage_core.declare.tables import table_named
from lineage_core.errors import RejectedEvent
from lineage_core.model.meaning.schema_versions import Field, schema_version_uuid
from lineage_core.openlineage import identity
from lineage_core.openlineage.instants import parse_instant
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.render import functions
from tests.support.servers import Databases

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

# Postgres' text holds no NUL, and no surrogates.
CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\x00")
ORDER_MATTERS = st.sampled_from("a\x01\x7fé\ud7ff\ue000\ufffd\uffff\U00010000\U0001f600\U0010fffe\U0010ffff")
TEXTS = st.text(CHARACTERS | ORDER_MATTERS)
MANY = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])


PLANNED = {
    "SELECT FROM dataset_mentions WHERE role = input_role()": ".role = 1)",
    "SELECT FROM dataset_mentions WHERE role = output_role()": ".role = 2)",
    "SELECT FROM dataset_facets WHERE lifecycle_rank('fail') = ending_rank() + running_rank() - 1": "Seq Scan",
    "SELECT FROM event_ledger WHERE is_ahead(event_order)": ".event_order >= '\\x02'::bytea)",
    "SELECT event_order(event_order, true) FROM event_ledger": "('\\x02'::bytea || event_order)",
    "SELECT FROM jobs WHERE parent_event = order_with_parent('\\x01')": ".parent_event = '\\x0001'::bytea)",
    "SELECT * FROM state_mentions()": "Values Scan",
    "SELECT dataset_facet_type(name) FROM dataset_facets": "THEN 'DATASET'::text",
}
"""Statements, and what stands in their plan in place of a rendered function."""


@pytest.mark.parametrize("statement", PLANNED)
def test_rendered_functions_are_constants_when_a_statement_is_planned(connection: Connection, statement: str) -> None:
    plan = connection.execute(f"EXPLAIN (VERBOSE) {statement}".encode()).fetchall()
    text = "\n".join(line for (line,) in plan)
    assert PLANNED[statement] in text
    assert not [name for name in functions.FUNCTIONS if f"{name}(" in text], text


def test_a_merge_calls_no_function_to_find_the_newer_event(connection: Connection) -> None:
    statement = statements.named("model/merge/jobs").format(staging=STAGING).replace("%(parts)s", "'{}'::bigint[]")
    with connection.transaction(force_rollback=True):
        plan = planned(connection, statement)
        assert plan.count("{COALESCEEXPR") > len(table_named("jobs").groups) == 3
        assert called(connection, plan) == set()
        connection.execute("ALTER FUNCTION is_newer STRICT")
        assert called(connection, planned(connection, statement)) == {"is_newer"}


def planned(connection: Connection, statement: str) -> str:
    """Postgres' own text of the plan: EXPLAIN does not show what MERGE compares, and writes."""
    found: list[str] = []
    connection.add_notice_handler(lambda notice: found.append(notice.message_detail or ""))
    connection.execute("SET LOCAL debug_print_plan = on; SET LOCAL client_min_messages = log")
    connection.execute(f"EXPLAIN {statement}".encode())
    return "".join(found)


def called(connection: Connection, plan: str) -> set[str]:
    """The functions of merges that the plan calls."""
    numbers = "SELECT proname, oid FROM pg_proc WHERE proname IN ('is_earlier', 'is_newer')"
    return {name for name, number in connection.execute(numbers).fetchall() if f":funcid {number} " in plan}


@pytest.mark.parametrize(
    ("staged", "stored", "earlier", "newer"),
    [
        (b"\x01", b"\x02", True, False),
        (b"\x02", b"\x01", False, True),
        (b"\x01", b"\x01", False, False),
        (b"\x01", None, True, True),
        (None, b"\x01", False, False),
        (None, None, False, False),
    ],
)
def test_an_event_takes_the_place_of_a_later_one_of_an_earlier_one_or_of_none(
    connection: Connection, staged: bytes | None, stored: bytes | None, earlier: bool, newer: bool
) -> None:
    assert _value(connection, "SELECT is_earlier(%s::bytea, %s::bytea)", staged, stored) is earlier
    assert _value(connection, "SELECT is_newer(%s::bytea, %s::bytea)", staged, stored) is newer


@pytest.fixture(scope="module")
def store(databases: Databases, _template: str) -> Iterator[Store]:
    """One database for all tests, as a function changes nothing."""
    with databases.copied(_template) as made:
        yield made


@pytest.fixture
def connection(store: Store) -> Iterator[Connection]:
    with store.connect(autocommit=True) as opened:
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


BRACKETS_MATTER = st.sampled_from("ab:,<>()[]{} \\^-\n")
TYPES = st.text(BRACKETS_MATTER, max_size=8) | st.sampled_from(["BIGINT", "struct<a:array<int>,b:map<(x):y>>"]) | TEXTS
FIELDS = st.lists(st.tuples(st.text(BRACKETS_MATTER, max_size=2) | TEXTS, st.none() | TYPES), max_size=8)


@settings(MANY, max_examples=200)
@given(namespace=TEXTS, dataset=TEXTS, fields=FIELDS)
@example(namespace="shop", dataset="orders", fields=[])
@example(namespace="shop", dataset="orders", fields=[("b", "INT"), ("a", "decimal(1,2)"), ("b", "INT")])
@example(namespace="shop", dataset="orders", fields=[("\U00010000", "int"), ("\uff5e", "int")])
@example(namespace="shop", dataset="orders", fields=[("\U00010000", None), ("\uff5e", ""), ("a", None), ("a", "")])
def test_schema_version_uuid(
    connection: Connection, namespace: str, dataset: str, fields: list[tuple[str, str | None]]
) -> None:
    described = [Field(name, type_, None) for name, type_ in fields]
    assert _schema_version(connection, namespace, dataset, fields) == uuid.UUID(
        bytes=schema_version_uuid(namespace, dataset, described)
    )


def _schema_version(
    connection: Connection, namespace: str, dataset: str, fields: list[tuple[str, str | None]]
) -> object:
    query = "SELECT schema_version_uuid(%s, %s, %s::text[], %s::text[])"
    return _value(connection, query, namespace, dataset, [name for name, _ in fields], [type_ for _, type_ in fields])


def test_schema_version_uuid_takes_what_an_aggregate_of_no_rows_gives(connection: Connection) -> None:
    stored = _value(connection, "SELECT schema_version_uuid('shop', 'orders', NULL, NULL)")
    assert stored == uuid.UUID(bytes=schema_version_uuid("shop", "orders", []))


@pytest.mark.parametrize("type_", ["<" * 100_000 + ">" * 100_000, "<" * 100_000, "(:" * 100_000 + "])" * 50_000])
def test_schema_version_uuid_of_deep_types(connection: Connection, type_: str) -> None:
    described = schema_version_uuid("shop", "orders", [Field("a", type_, None)])
    assert _schema_version(connection, "shop", "orders", [("a", type_)]) == uuid.UUID(bytes=described)


@pytest.mark.parametrize("function", ["java_uuid", "key_uuid", "utf16_order", "ends_itself", "schema_version_uuid"])
def test_they_may_stand_in_indexes_and_parallel_plans(connection: Connection, function: str) -> None:
    properties = connection.execute("SELECT provolatile, proparallel FROM pg_proc WHERE proname = %s", [function])
    assert properties.fetchall() == [("i", "s")]


def test_they_need_no_search_path(connection: Connection) -> None:
    connection.execute("SET search_path = pg_catalog")
    assert _value(connection, "SELECT public.java_uuid('a')") is not None
    assert _value(connection, "SELECT public.key_uuid('a', 'b')") is not None
    with pytest.raises(psycopg.errors.UndefinedFunction):
        connection.execute("SELECT java_uuid('a')")


ZONED = st.sampled_from(["", "Z", "z", "+00:00", "-01", "+0530", "-23:59", "+14:00", "+24:00", "-05:60", "+5", "[UTC]"])
FRACTIONS = st.text("0123456789", max_size=9).flatmap(lambda digits: st.sampled_from(["", f".{digits}", f",{digits}"]))
CLOCKS = st.sampled_from(["T00:00", "t23:59:59", " 12:30:00", "T24:00:00", "T23:60", "T12:00:60", "T1:00", "", "T12"])
DATES = st.one_of(
    st.dates().map(str),
    st.sampled_from(["0001-01-01", "9999-12-31", "2024-02-29", "1900-02-29", "2026-02-31", "2026-04-31", "2026-13-01"]),
    st.sampled_from(["0000-12-31", "10000-01-01", "２０２６-01-01", "2026-1-01", "20260101", "infinity", "now"]),
)
SPACES = st.text(" \t\n\x0b\x0c\r\x1c\x1f\x85\xa0\u1680\u2003\u2028\u202f\u205f\u3000\u200b", max_size=2)
WRITTEN_TIMES = st.builds("".join, st.tuples(SPACES, DATES, CLOCKS, FRACTIONS, ZONED, SPACES)) | TEXTS


@settings(MANY, max_examples=500)
@given(written=WRITTEN_TIMES)
@example(written="2026-03-04T05:06:07.1234565+02:00")
@example(written="1969-12-31T23:59:59.9999995Z")
@example(written="9999-12-31T23:59:59.9999995Z")
@example(written="9999-12-31T23:59:59-00:01")
@example(written="0001-01-01T00:00:00+00:01")
@example(written="0001-01-01T00:00:00Z")
@example(written="2026-01-01T12:00:00.Z")
@example(written="2026-01-01T12:00.5Z")
def test_event_instant(connection: Connection, written: str) -> None:
    assert _value(connection, MICROSECONDS, written) == _microseconds(written)


def test_event_instant_knows_every_blank_that_python_strips(connection: Connection) -> None:
    blanks = [chr(point) for point in range(1, 0x3001) if chr(point).isspace()]
    instants = {blank: _value(connection, MICROSECONDS, f"{blank}1970-01-01T00:00:01Z{blank}") for blank in blanks}
    assert instants == dict.fromkeys(blanks, 1_000_000)


@pytest.mark.parametrize(
    "setting", ["DateStyle = 'SQL, DMY'", "timezone = 'Pacific/Auckland'", "IntervalStyle = 'iso_8601'"]
)
def test_event_instant_depends_on_no_setting(connection: Connection, setting: str) -> None:
    connection.execute(f"SET {setting}".encode())
    written = "2026-03-04T05:06:07.1234565"
    assert _value(connection, MICROSECONDS, written) == _microseconds(written)


MICROSECONDS = "SELECT (extract(epoch FROM event_instant(%s)) * 1000000)::bigint"


def _microseconds(written: str) -> int | None:
    try:
        return parse_instant(written, "$")
    except RejectedEvent:
        return None


GROUPS = st.text("0123456789abcdefABCDEF", max_size=17) | st.sampled_from(
    ["+1", "+", "-1", "g", "0" * 16, "7" + "f" * 15]
)
RUN_IDS = st.lists(GROUPS, min_size=4, max_size=6).map("-".join) | st.uuids().map(str) | TEXTS


@settings(MANY, max_examples=500)
@given(run_id=RUN_IDS)
@example(run_id="1-1-1-1-1")
@example(run_id="+1-+2-+3-+4-+5")
@example(run_id="123456789-12345-12345-12345-1")
@example(run_id="8000000000000000-1-1-1-1")
@example(run_id="7fffffffffffffff-1-1-1-1")
@example(run_id="0190A0A0-0000-7000-8000-000000000009")
@example(run_id="0190a0a0-0000-7000-8000-000000000009\n")
@example(run_id="00000000-0000-0000-0000-0000000000000")
@example(run_id="")
def test_run_uuid(connection: Connection, run_id: str) -> None:
    assert _value(connection, "SELECT run_uuid(%s)", run_id) == uuid.UUID(bytes=identity.run_uuid(run_id))
