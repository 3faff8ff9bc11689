"""Law 2 for ids: those that a live Marquez derived from events, and ours from the same events, are equal.

Where they are not, the case stands in `DIFFERENCES` with the reason; a reason that no longer holds fails, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lineage_core import event_files
from lineage_core.ingest import ingest
from lineage_core.local import postgres
from lineage_core.local.postgres import Server
from lineage_core.normalization import InProcess, normalize
from lineage_core.store.connection import connect
from support.recordings import NEEDS_RECORDINGS, Recording, recordings
from support.stores import empty

pytestmark = NEEDS_RECORDINGS

IDS = {
    "dataset_versions": "version",
    "dataset_schema_versions": "uuid",
    "job_versions": "version",
    "runs": "uuid",
    "run_args": "checksum",
}
"""Columns whose content Marquez derives."""

REPORTED = "What a parent reports itself outweighs what its children say, also if it reports later."
REFUSED_THERE = "Marquez refuses the event, or writes half of it; here nothing is wrong with it."
REFUSED_HERE = "Marquez writes half of an event that it refuses; here it goes to quarantine as a whole."
AMBIGUOUS = "Marquez' text for these fields could stand for others, so the id is ours."
AMENDED = "In Marquez a version keeps its schema version when it is read or written under other fields."

DIFFERENCES: dict[str, tuple[str, set[str]]] = {
    "a-column-read-under-a-drifted-schema": (AMENDED, {"dataset_schema_versions"}),
    "a-column-with-an-empty-name-is-refused": (REFUSED_HERE, {"dataset_schema_versions", "runs", "run_args"}),
    "a-data-source-uri-that-never-is-a-uri-is-refused": (
        REFUSED_THERE,
        {"dataset_versions", "dataset_schema_versions", "job_versions"},
    ),
    "a-drifted-input-reads-the-current-version": (AMENDED, {"dataset_schema_versions"}),
    "a-type-in-other-case-is-another-field-and-schema-but-not-another-hash": (
        AMENDED,
        {"dataset_schema_versions"},
    ),
    "a-typed-and-an-untyped-column-differ-in-the-schema-version": (AMBIGUOUS, {"dataset_schema_versions"}),
    "a-typed-facet-without-producer-is-refused": (REFUSED_THERE, {"run_args"}),
    "an-event-without-type-but-with-run-facets-is-refused": (
        REFUSED_THERE,
        {"dataset_versions", "dataset_schema_versions"},
    ),
    "an-input-namespace-with-forbidden-characters-is-refused-at-once": (
        REFUSED_THERE,
        {"dataset_versions", "dataset_schema_versions", "job_versions"},
    ),
    "an-output-namespace-with-forbidden-characters-is-refused-when-the-job-version-is-made": (
        REFUSED_THERE,
        {"job_versions"},
    ),
    "an-unknown-parent-in-another-namespace-is-made-in-the-childs": (REPORTED, {"runs"}),
    "an-untyped-field-is-a-new-row-at-every-event": (AMBIGUOUS, {"dataset_schema_versions"}),
    "names-with-colons-and-quotes-are-hashed-as-they-are": (AMBIGUOUS, {"dataset_schema_versions"}),
}


@pytest.fixture(scope="module")
def store(postgres_server: Server, _template: str) -> Iterator[str]:
    """One database for all recordings, emptied before each."""
    name = "marquez_ids"
    postgres_server.run_sql(f"CREATE DATABASE {name} OWNER {postgres.ROLE} TEMPLATE {_template};")
    yield postgres_server.dsn(database=name)
    postgres_server.run_sql(f"DROP DATABASE {name} WITH (FORCE);")


def ids_that_we_make(dsn: str, events: Path) -> dict[str, set[str]]:
    empty(dsn)
    ingest(dsn, event_files.find([str(events)]))
    normalize(dsn, InProcess())
    with connect(dsn) as connection:
        return {
            table: {str(id_) for (id_,) in connection.execute(f"SELECT {column} FROM {table}".encode())}
            for table, column in IDS.items()
        }


def ids_that_marquez_made(recording: Recording) -> dict[str, set[str]]:
    recorded = recording.rows()
    return {table: {row[column] for row in recorded[table]} for table, column in IDS.items()}


@pytest.mark.parametrize("recording", recordings(), ids=lambda recording: recording.name)
def test_ids_are_those_that_marquez_derives(store: str, recording: Recording) -> None:
    ours, theirs = ids_that_we_make(store, recording.events), ids_that_marquez_made(recording)
    differing = {table for table in IDS if ours[table] != theirs[table]}
    reason, expected = DIFFERENCES.get(recording.name, ("", set()))
    assert differing == expected, reason or {table: (ours[table], theirs[table]) for table in differing}


def test_every_difference_is_of_a_recorded_case() -> None:
    assert set(DIFFERENCES) <= {recording.name for recording in recordings()}


def test_marquez_made_many_ids() -> None:
    """Lest equal sets were empty ones."""
    made = {table: 0 for table in IDS}
    for recording in recordings():
        for table, ids in ids_that_marquez_made(recording).items():
            made[table] += len(ids)
    assert min(made.values()) > 100, made
