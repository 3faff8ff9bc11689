"""Golden cases fail when the rule that they show is broken: rules that too few examples of law 1 come to."""

from __future__ import annotations

import pytest

from lineage_core.errors import LineageError
from lineage_core.postgres.store import Store
from tests.golden.test_golden import HERE, WAYS, hold_to
from tests.support.mutants import Mutant, broken

pytestmark = pytest.mark.postgres

MUTANTS = (
    (
        Mutant(
            "columns ignore that a version has other fields now",
            "model/derive/column_lineage",
            "JOIN runs_input_mapping AS read ON read.dataset_version_uuid = reshaped.version_uuid",
            "JOIN runs_input_mapping AS read ON false",
        ),
        "column_lineage/a-column-that-another-reader-is-the-first-to-name-is-an-origin-for-those-who-read-the-version-before",
    ),
    (
        Mutant(
            "a version that becomes another dataset's keeps its schema version",
            "model/derive/dataset_schema_versions",
            "WHERE stored.dataset_uuid IS DISTINCT FROM made.dataset_uuid",
            "WHERE false",
        ),
        "dataset_versions/where-two-datasets-have-one-version-the-first-event-says-whose-it-is",
    ),
    (
        Mutant(
            "a schema version keeps the fields of a dataset that no longer has it",
            "model/derive/unreferenced",
            "WHERE stored.uuid = touched.uuid AND stored.field_uuids && lost.field_uuids",
            "WHERE false",
        ),
        "dataset_schema_versions_field_mapping/a-schema-version-that-one-of-two-datasets-leaves-keeps-the-columns-of-the-other",
    ),
    (
        Mutant(
            "a dataset that shares a version with one that moves stays",
            "model/derive/moved_datasets",
            "other.version_uuid = named.version_uuid AND other.dataset_uuid <> moved.uuid",
            "false",
        ),
        "job_versions/where-a-dataset-turns-out-to-be-another-those-that-share-its-version-are-counted-anew",
    ),
)
"""Each with the case that fails then."""


@pytest.mark.parametrize(("mutant", "case"), MUTANTS, ids=lambda one: getattr(one, "name", ""))
def test_a_case_fails(mutant: Mutant, case: str, database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(mutant, monkeypatch)
    with pytest.raises((AssertionError, LineageError)):
        for way in WAYS:
            hold_to(database, HERE / case, way)
