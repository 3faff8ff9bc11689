"""Databases in which texts sort, or change their case, otherwise than by bytes: ids, orders and facets are the same."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lineage_core.model.meaning.schema_versions import Field, schema_version_uuid
from lineage_core.openlineage.facets import dataset_facet_type
from lineage_core.openlineage.identity import ignoring_case
from lineage_core.openlineage.instants import instant
from lineage_core.openlineage.parsing import parse
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.testing import dataset, run_event
from tests.support.stores import contents, differences, take_in

pytestmark = [pytest.mark.postgres, pytest.mark.both_servers]

MANY = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
CASE_MATTERS = "aiIsSkKzß\u0130\u0131\u017f\u212aéÉåÅǅﬅﬁᾳΐςΣაⴀꭰ\u2c5f\ua7c1\u019b\U00010428\U00010d70"
TEXTS = st.text(st.sampled_from(CASE_MATTERS) | st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
WORDS = st.sampled_from(
    ["START", "complete", "Fail", "abort", "spark_unknown", "outputStatistics", "description", "schema", "dataSource"]
).flatmap(
    lambda word: st.lists(st.sampled_from("xX"), min_size=len(word), max_size=len(word)).map(
        lambda cases: "".join(_other(one) if case == "X" else one for one, case in zip(word, cases, strict=True))
    )
)


def _other(character: str) -> str:
    """Another character that some locale, or Java, may take for the same letter."""
    return {"i": "\u0130", "I": "\u0131", "s": "\u017f", "k": "\u212a"}.get(character, character.swapcase())


Connections = dict[str, Connection]


@pytest.fixture
def connections(database: Store, localized_databases: dict[str, Store]) -> Iterator[Connections]:
    with ExitStack() as opened:
        stores = {"C": database} | localized_databases
        yield {locale: opened.enter_context(store.connect(autocommit=True)) for locale, store in stores.items()}


def _values(connections: Connections, query: str, *parameters: object) -> set[object]:
    """What the databases answer: one value, if all say the same."""
    found = set()
    for connection in connections.values():
        row = connection.execute(query.encode(), parameters).fetchone()
        assert row is not None
        found.add(row[0])
    return found


def test_the_databases_are_what_they_are_for(connections: Connections) -> None:
    """Else the other tests would show nothing. Without ICU, only capitals beyond ASCII are left."""
    query = "SELECT ARRAY['aa' > 'ab', upper('i') = 'I', upper('é') = 'É']"
    expected = {
        "C": [False, True, False],
        "da-DK": [True, True, True],
        "tr-TR": [False, False, True],
        "PG_UNICODE_FAST": [False, True, True],
    }
    found = {locale: _values({locale: connection}, f"{query}::text") for locale, connection in connections.items()}
    assert found == {
        locale: {"{" + ",".join("tf"[not one] for one in expected[locale]) + "}"} for locale in connections
    }


@MANY
@given(text=TEXTS | WORDS)
@example(text=CASE_MATTERS)
def test_words_of_any_case_are_the_same(connections: Connections, text: str) -> None:
    words = ("spark_unknown", "outputstatistics", "description", "schema", "datasource")
    truth = {word: ignoring_case(text) == word for word in words}
    for word, is_word in truth.items():
        assert _values(connections, "SELECT ignoring_case(%s) = %s", text, word) == {is_word}
    assert _values(connections, "SELECT dataset_facet_type(%s)", text) == {dataset_facet_type(text).value}


@MANY
@given(event_type=TEXTS | WORDS)
@example(event_type="fa\u0131l")
@example(event_type="\u017ftart")
@example(event_type="fail")
def test_the_order_of_events_is_the_same(connections: Connections, event_type: str) -> None:
    document = json.dumps(run_event(event_type[:64]))
    query = "SELECT event_identity(event, (event ->> 'eventTime')::timestamptz) FROM (SELECT %s::jsonb) AS one (event)"
    (identity,) = _values(connections, query, document)
    assert isinstance(identity, bytes)
    assert identity[8] == parse(document.encode()).order[9]


@MANY
@given(fields=st.lists(st.tuples(TEXTS, TEXTS | st.sampled_from(["int", "bigint", "INT"]) | st.none()), max_size=4))
@example(fields=[("aa", "bigint"), ("ab", "BIGINT"), ("i", "ﬁ"), ("I", None)])
@example(fields=[("aa", "bigint"), ("ab", "BIGINT"), ("i", "ﬁ"), ("I", "int")])
def test_the_ids_of_schema_versions_are_the_same(
    connections: Connections, fields: list[tuple[str, str | None]]
) -> None:
    expected = uuid.UUID(bytes=schema_version_uuid("shop", "orders", [Field(*field, None) for field in fields]))
    names, types = [name for name, _ in fields], [type_ for _, type_ in fields]
    query = "SELECT schema_version_uuid('shop', 'orders', %s::text[], %s::text[])"
    assert _values(connections, query, names, types) == {expected}


def test_a_slice_whose_orders_sort_otherwise_as_texts_changes_all_that_follows(
    database: Store, localized_databases: dict[str, Store]
) -> None:
    """A slice brings an event before one that is merged, and one behind it. In hexadecimal digits the first has `aa`
    where the other has `ab`, which Danish sorts before: what follows must be sought from the first on all the same.
    """
    before, between, behind = (instant(time) for time in (0x5AA00 << 32, 0x5AA80 << 32, 0x5AB00 << 32))
    orders = [dataset("orders", fields=[("id", "int")])]
    merged = [
        run_event("COMPLETE", run_id="a run", time=between, outputs=[dataset("made")]),
        run_event("COMPLETE", run_id="a reader", time=between, inputs=orders),
    ]
    late = [
        run_event("START", run_id="a run", time=before, inputs=[dataset("read")]),
        run_event("RUNNING", run_id="a run", time=behind, inputs=[dataset("read later")]),
        run_event("COMPLETE", run_id="a writer", time=before, outputs=orders),
        run_event("COMPLETE", run_id="another writer", time=behind, outputs=orders),
    ]
    take_in(database, [*merged, *late])
    wanted = contents(database)
    for dsn in localized_databases.values():
        take_in(dsn, merged)
        take_in(dsn, late)
        assert differences(contents(dsn), wanted) == {}
