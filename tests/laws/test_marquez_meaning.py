"""Law 2: the rows that a live Marquez made of events, and ours of the same events, are equal by natural key.

Where they are not, `DIFFERENCES` says for which case, in which table and columns, and why. A difference that is there
no more fails, too: it is to be taken out of the list.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from functools import cache
from typing import Any, LiteralString

import pytest

from lineage_core.ingest import event_files
from lineage_core.ingest.ingestion import ingest
from lineage_core.normalize.normalization import normalize
from lineage_core.postgres.store import Store
from lineage_core.tasks import SerialRunner
from tests.support.natural_keys import NOT_COMPARED, natural_rows
from tests.support.recorded_differences import DIFFERENCES, as_a_newer_build_writes
from tests.support.recordings import NEEDS_RECORDINGS, Recording, Rows, recordings
from tests.support.servers import Databases
from tests.support.stores import empty

pytestmark = [*NEEDS_RECORDINGS, pytest.mark.slow]

RAW = {"lineage_events"}
"""Tables of documents, which Marquez writes anew from what it read of them."""

DOCUMENTS = {"facet", "fields", "args"}
"""Columns with JSON in which a text that looks like a time is only a text."""

SETS = {"current_inputs"}
"""Columns with lists whose order means nothing."""

LAST_EVENTS_OF_COLUMNS: LiteralString = """
UPDATE dataset_fields AS field
SET updated_at = schema.updated_at
FROM dataset_schemas AS schema
WHERE schema.uuid = field.schema_uuid
"""
"""A column has in Marquez the time of the last event that had it; here the schema that describes the column has it."""

_INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)?")


@pytest.fixture(scope="module")
def store(databases: Databases, _template: str) -> Iterator[Store]:
    """One database for all recordings, emptied before each."""
    with databases.copied(_template) as made:
        yield made


def tables_of(recording: Recording) -> list[str]:
    return sorted(set(recording.rows()) - RAW)


@cache
def columns_of(table: str) -> list[str]:
    """The columns in which Marquez' rows were recorded; none if it never wrote one."""
    found = next((rows[0] for recording in recordings() if (rows := recording.rows().get(table))), {})
    return sorted(set(found) - NOT_COMPARED.get(table, set()))


def rows_that_we_make(database: Store, recording: Recording) -> dict[str, Rows]:
    empty(database)
    ingest(database, event_files.find([str(recording.events)]))
    normalize(database, SerialRunner())
    with database.connect() as connection:
        connection.execute(LAST_EVENTS_OF_COLUMNS)
        return {table: natural_rows(connection, table, columns_of(table)) for table in tables_of(recording)}


def same_form(column: str, value: Any) -> Any:
    """Times in UTC, sets in order: what is equal in meaning is equal as JSON."""
    if column in DOCUMENTS:
        return value
    if column in SETS and value is not None:
        return sorted(value, key=json.dumps)
    if isinstance(value, list):
        return [same_form(column, part) for part in value]
    if isinstance(value, str) and _INSTANT.fullmatch(value):
        instant = datetime.fromisoformat(value)
        return (instant if instant.tzinfo else instant.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    return value


def without(rows: Rows, left_out: Collection[str]) -> Counter[str]:
    """The rows as texts, without some of their columns."""
    return Counter(
        json.dumps({key: same_form(key, value) for key, value in row.items() if key not in left_out}, sort_keys=True)
        for row in rows
    )


def differences(ours: Rows, theirs: Rows, left_out: Collection[str]) -> dict[str, list[str]]:
    """The rows that only we have, and those that only Marquez has."""
    here, there = without(ours, left_out), without(theirs, left_out)
    found = {"only here": list((here - there).elements()), "only in Marquez": list((there - here).elements())}
    return {where: rows for where, rows in found.items() if rows}


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_rows_mean_what_marquez_means(store: Store, recording: Recording) -> None:
    ours, theirs = rows_that_we_make(store, recording), as_a_newer_build_writes(recording.rows())
    listed = DIFFERENCES.get(recording.name, {})
    for table in tables_of(recording):
        differing = {column for columns in listed.get(table, {}).values() for column in columns}
        if "*" in differing:
            assert differences(ours[table], theirs[table], differing), f"the rows of {table} do not differ"
            continue
        assert not differences(ours[table], theirs[table], differing), f"rows of {table} differ"
        for column in differing:
            found = differences(ours[table], theirs[table], differing - {column})
            assert found, f"{table}.{column} does not differ"


def test_every_difference_is_of_a_recorded_table() -> None:
    known = {(recording.name, table) for recording in recordings() for table in tables_of(recording)}
    assert {(case, table) for case, tables in DIFFERENCES.items() for table in tables} <= known


def test_marquez_made_many_rows() -> None:
    """Lest equal tables were empty ones."""
    assert sum(len(rows) for recording in recordings() for rows in recording.rows().values()) > 5_000
