"""Golden cases: `<table>/<sentence>/` holds events and the rows that follow from them; the sentence is the rule shown.

`expect.json` has for each table all of its rows, with the columns that the case is about; uuids stand for what
`support/natural_keys.py` says. A new case needs no code. Events of the producer `clock-ahead.example` were received a
month before their time.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from lineage_core.declare.tables import normalized_tables
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from tests.support.natural_keys import natural_rows
from tests.support.servers import Databases
from tests.support.stores import empty, take_in

pytestmark = pytest.mark.postgres

HERE = Path(__file__).parent
CASES = sorted(file.parent for file in HERE.glob("*/*/events.ndjson"))
Rows = dict[str, list[Any]]


@pytest.fixture(scope="module")
def store(databases: Databases, _template: str) -> Iterator[Store]:
    """One database for all cases, emptied before each feed."""
    with databases.copied(_template) as made:
        yield made


def rows_of(database: Store, expected: Rows) -> Rows:
    """The rows that the store has, in the tables and columns that are expected."""
    with database.connect() as connection:
        return {
            table: in_order(natural_rows(connection, table, rows[0] if rows else first_column(connection, table)))
            for table, rows in expected.items()
        }


def first_column(connection: Connection, name: str) -> list[str]:
    """Of a table or a view."""
    query = "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum = 1"
    return [column for (column,) in connection.execute(query, [name])]


def in_order(rows: list[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))


def latest_first(events: list[Any]) -> list[Any]:
    """Where a case is about the first event, or the last, the order of arrival must not give it away."""
    return sorted(events[::-1], key=lambda event: datetime.fromisoformat(event["eventTime"]), reverse=True)


Way = Callable[[list[Any]], tuple[list[Any], int]]
"""The order in which the events of a case arrive, and how many bytes of them the first slice has."""


def last_event_first(events: list[Any]) -> tuple[list[Any], int]:
    late_first = latest_first(events)
    return late_first[::-1], _size(late_first[1:])


def first_event_last(events: list[Any]) -> tuple[list[Any], int]:
    late_first = latest_first(events)
    return late_first, _size(late_first[:-1])


# At once and one by one are among the ways of law 1 (tests/laws/test_order_free.py).
WAYS = (last_event_first, first_event_last)


def of_cases(place: int) -> pytest.MarkDecorator:
    """Each case with one way, its neighbours with the other; by `place` which of the two."""
    return pytest.mark.parametrize(
        ("case", "way"),
        [(case, WAYS[(number + place) % len(WAYS)]) for number, case in enumerate(CASES)],
        ids=[f"{case.parent.name}: {case.name.replace('-', ' ')}" for case in CASES],
    )


@of_cases(0)
def test_golden(store: Store, case: Path, way: Way) -> None:
    hold_to(store, case, way)


@pytest.mark.long
@of_cases(1)
def test_golden_in_the_other_order(store: Store, case: Path, way: Way) -> None:
    hold_to(store, case, way)


def hold_to(store: Store, case: Path, way: Way) -> None:
    events = [json.loads(line) for line in (case / "events.ndjson").read_text().splitlines()]
    expected = {table: in_order(rows) for table, rows in json.loads((case / "expect.json").read_text()).items()}
    sequence, slice_bytes = way(events)
    empty(store)
    outcome = take_in(store, sequence, slice_bytes=slice_bytes)
    assert (outcome.events, outcome.quarantined) == (len(events), 0)
    assert rows_of(store, expected) == expected


def _size(events: list[Any]) -> int:
    """Of a slice that takes these events, and no more."""
    return sum(len(json.dumps(event)) for event in events) or 1


def test_a_case_says_all_columns_of_a_table_in_each_row() -> None:
    """The first row tells which columns are compared."""
    for case in CASES:
        for table, rows in json.loads((case / "expect.json").read_text()).items():
            assert len({tuple(sorted(row)) for row in rows}) <= 1, (case.name, table)


def test_each_table_that_events_fill_has_a_case_of_its_own() -> None:
    internal = {
        "event_ledger",
        "dataset_mentions",
        "dataset_names",
        "dataset_schemas",
        "dataset_column_lineages",
        "dataset_labels",
        "job_labels",
        "dataset_version_timeline",
        "parent_mentions",
        "facet_sets",
        "column_lineage_versions",
        "dataset_schema_histories",
        "job_version_timeline",
        "column_lineage_inputs",
        "schema_fields_to_move",
        "column_lineage_lists",
        "column_pairs_to_move",
    }
    filled = {table.name for table in normalized_tables()}
    assert filled - internal <= {case.parent.name for case in CASES}
