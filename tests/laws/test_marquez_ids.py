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

PARENTS = "Not built yet: a child is named after its parent, and a parent that never reports is made from it."
PARENTS_OF_A_REFUSED_EVENT = f"Marquez refuses the event when the parent is made; here it is taken. {PARENTS}"
REFUSED_THERE = "Marquez refuses the event, or writes half of it; here nothing is wrong with it."
REFUSED_HERE = "Marquez writes half of an event that it refuses; here it goes to quarantine as a whole."
AMBIGUOUS = "Marquez' text for these fields could stand for others, so the id is ours."
AMENDED = "In Marquez a version keeps its schema version when it is read or written under other fields."

DIFFERENCES: dict[str, tuple[str, set[str]]] = {
    "a-child-job-is-named-after-its-parent": (PARENTS, {"job_versions"}),
    "a-child-without-event-type-is-refused-after-its-parent-was-made": (
        PARENTS_OF_A_REFUSED_EVENT,
        {"runs", "run_args"},
    ),
    "a-column-read-under-a-drifted-schema": (AMENDED, {"dataset_schema_versions"}),
    "a-column-with-an-empty-name-is-refused": (REFUSED_HERE, {"dataset_schema_versions", "runs", "run_args"}),
    "a-data-source-uri-that-never-is-a-uri-is-refused": (
        REFUSED_THERE,
        {"dataset_versions", "dataset_schema_versions", "job_versions"},
    ),
    "a-drifted-input-reads-the-current-version": (AMENDED, {"dataset_schema_versions"}),
    "a-job-that-gets-a-parent-later-is-two-jobs": (PARENTS, {"job_versions", "runs"}),
    "a-known-parent-in-another-namespace-is-used": (PARENTS, {"job_versions"}),
    "a-parent-made-from-a-childs-complete-is-completed": (PARENTS, {"runs", "run_args"}),
    "a-parent-made-from-its-child-has-the-childs-nominal-time": (PARENTS, {"runs", "run_args"}),
    "a-parent-named-as-its-child-is-cut-at-the-last-dot": (PARENTS, {"runs", "run_args"}),
    "a-parent-named-as-its-child-without-a-dot": (PARENTS, {"job_versions", "runs", "run_args"}),
    "a-parent-run-id-that-is-no-uuid-is-hashed": (PARENTS, {"runs", "run_args"}),
    "a-parent-run-id-that-is-no-uuid-is-hashed-with-the-dag-name": (PARENTS, {"runs", "run_args"}),
    "a-parent-run-that-belongs-to-another-job-gets-a-run-of-its-own": (PARENTS, {"runs"}),
    "a-parent-that-never-reports-is-made-from-its-child": (PARENTS, {"runs", "run_args"}),
    "a-root-in-the-parent-facet-makes-no-rows": (PARENTS, {"runs", "run_args"}),
    "a-run-that-names-its-parent-only-later-has-none": (PARENTS, {"runs"}),
    "a-spark-application-runs-under-an-airflow-task": (PARENTS, {"job_versions", "runs"}),
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
    "an-unknown-parent-in-another-namespace-is-made-in-the-childs": (PARENTS, {"job_versions", "runs"}),
    "an-untyped-field-is-a-new-row-at-every-event": (AMBIGUOUS, {"dataset_schema_versions"}),
    "names-with-colons-and-quotes-are-hashed-as-they-are": (AMBIGUOUS, {"dataset_schema_versions"}),
    "two-children-share-a-parent-run": (PARENTS, {"runs", "run_args"}),
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
