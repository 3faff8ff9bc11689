"""What Postgres makes of a document is bounded, by whatever way it comes."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from lineage_core import quarantine
from lineage_core.ingest.store import store
from lineage_core.model import arrivals
from lineage_core.model.arrivals import RefusedDocument, judge
from lineage_core.normalize.normalization import normalize
from lineage_core.openlineage.written_size import written_size
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from lineage_core.testing import facet, run_event, to_json
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


@pytest.fixture
def connection(database: Store) -> Iterator[Connection]:
    with database.connect(autocommit=True) as opened:
        yield opened


FIGURES = st.text(st.sampled_from("0123456789"), min_size=1, max_size=12)
WHOLE = st.just("0") | FIGURES.map(lambda figures: figures.lstrip("0") or "0")
EXPONENTS = st.builds(
    "{}{}{}".format,
    st.sampled_from("eE"),
    st.sampled_from(["", "+", "-", "-00"]),
    st.integers(0, 400) | st.integers(16_300, 16_400) | st.integers(130_000, 131_100),
)
NUMBERS = st.builds(
    "{}{}{}{}".format,
    st.sampled_from(["", "-"]),
    WHOLE,
    st.just("") | FIGURES.map(".{}".format),
    st.just("") | EXPONENTS,
)
TEXTS = st.lists(
    st.sampled_from(["a", "é", "😀", " ", ",", ":", "e", "1e999", ", 1e9999 ", r"\"", r"\\", r"\n", r"\/"])
    | st.sampled_from([r"\u00e9", r"\u0001", r"\u001f", r"\u007f", r"\ud83d\ude00", "\x7f", "\u2028"]),
    max_size=6,
).map(lambda pieces: '"{}"'.format("".join(pieces)))
BLANKS = st.text(st.sampled_from(" \t\r\n"), max_size=2)


def spaced(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds("{}{}{}".format, BLANKS, inner, BLANKS)


def members(inner: st.SearchStrategy[str]) -> st.SearchStrategy[list[str]]:
    """Some of them have one name."""
    names = st.sampled_from(['"a"', '"b"']) | TEXTS
    return st.lists(st.builds("{}:{}".format, spaced(names), spaced(inner)), max_size=4)


DOCUMENTS: st.SearchStrategy[str] = st.recursive(
    NUMBERS | TEXTS | st.sampled_from(["true", "false", "null"]),
    lambda inner: (
        st.lists(spaced(inner), max_size=4).map(lambda items: f"[{','.join(items)}]")
        | members(inner).map(lambda items: f"{{{','.join(items)}}}")
    ),
    max_leaves=12,
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(document=DOCUMENTS)
@example(document="[1e131071,-0e-16383,\t0.00000e-16000 ]")
@example(document=r'{"a":"\u0001\u001f","a":[1,2,3,"\u00e9"]}')
def test_postgres_never_writes_more_than_is_expected(connection: Connection, document: str) -> None:
    try:
        found = connection.execute("SELECT octet_length(%s::jsonb::text)", [document]).fetchone()
    except psycopg.DataError:
        assume(False)
    assert found is not None
    assert found[0] <= written_size(document.encode())


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(numbers=st.lists(st.builds("{}{}".format, FIGURES.map(lambda figures: f"7{figures}"), EXPONENTS), max_size=3))
def test_what_is_expected_of_numbers_is_what_postgres_writes(connection: Connection, numbers: list[str]) -> None:
    """But for those that are shorter than they came."""
    document = f"[{','.join(numbers)}]"
    try:
        found = connection.execute("SELECT octet_length(%s::jsonb::text)", [document]).fetchone()
    except psycopg.DataError:
        assume(False)
    assert found is not None
    assert found[0] <= written_size(document.encode()) <= found[0] + sum(map(len, numbers))


GOOD = [run_event(run_id=f"good {number}", facets={"own": facet(n=number)}) for number in range(3)]


def huge(numbers: int) -> bytes:
    """A few kilobytes that become 131,072 bytes for each number."""
    event = run_event(run_id="huge", facets={"own": facet(numbers=["@"])})
    return to_json(event).replace(b'"@"', b",".join([b"1e131071"] * numbers))


def test_an_event_that_would_be_huge_goes_to_quarantine_and_those_beside_it_become_rows(
    database: Store, connection: Connection
) -> None:
    documents = [to_json(GOOD[0]), huge(8_000), to_json(GOOD[1])]
    assert store(connection, [judge(document, "here") for document in documents]) == 1
    assert normalize(database, SerialRunner()).events == 2
    (entry,) = quarantine.entries(database)
    assert (entry.path, entry.size) == ("$.run.facets.own.numbers[8]", len(huge(8_000)))


def test_what_another_writer_inserts_is_refused_if_it_could_not_be_read(connection: Connection) -> None:
    insert = "INSERT INTO lineage_events (event_time, event) VALUES ('2026-01-01Z', convert_from(%b, 'UTF8')::jsonb)"
    with pytest.raises(psycopg.errors.CheckViolation, match="event_bytes"):
        connection.execute(insert, [huge(2_050)])


def test_a_document_that_is_too_long_as_it_comes_is_kept_by_its_beginning(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`lineage ingest` never reads more of one; the transport is given it whole."""
    monkeypatch.setattr(arrivals, "LONGEST_DOCUMENT", 2_000_000)
    body = to_json(run_event(facets={"own": facet(text="x" * 3_000_000)}))
    refused = judge(body, "transport")
    assert isinstance(refused, RefusedDocument)
    assert refused.reason.startswith("longer than ")
    assert refused.raw == body[: 1 << 20]


def test_what_only_postgres_finds_too_large_goes_to_quarantine(
    database: Store, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrivals, "check_written_size", lambda _text: None)
    documents = [to_json(GOOD[0]), huge(2_050), to_json(GOOD[1])]
    assert store(connection, [judge(document, "here") for document in documents]) == 1
    (entry,) = quarantine.entries(database)
    assert "event_bytes" in entry.reason
    assert rows(database, "SELECT count(*) FROM lineage_events") == [(2,)]


def test_every_partition_has_the_limit_and_so_has_quarantine(database: Store) -> None:
    partitions = "SELECT relid FROM pg_partition_tree('lineage_events') WHERE isleaf"
    limited = "SELECT conrelid FROM pg_constraint WHERE pg_get_constraintdef(oid) ~ '<= 267386880'"
    assert len(rows(database, partitions)) > 1
    assert rows(database, f"({partitions}) EXCEPT ({limited})") == []
    assert rows(database, f"SELECT 'quarantine'::regclass::oid EXCEPT ({limited})") == []
