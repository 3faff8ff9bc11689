"""Where our rows and those that a live Marquez made of the same events differ, and why.

For tests/laws/test_marquez_meaning.py: case, table, reason, columns. `*` says that the rows differ as a whole: there
are other, more or fewer ones.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lineage_core.model.meaning.job_descriptions import RunArguments
from tests.support.recordings import Rows

TRANSFORMATIONS = "In Marquez `transformations` and the inputs of a whole output stay in the facet."
REPORTED = "What a parent reports itself outweighs what its children say, also if it reports later."
NAMED_LATER = "In Marquez only the first event of a run tells its parent; here the first one that names it."
STATELESS = "Marquez dates the state of a parent that has none."
OWN_RUN = "In Marquez the current run of a child job is its parent's; here it is its own."
REFUSED_THERE = "Marquez refuses the event, or writes half of it; here nothing is wrong with it."
AMBIGUOUS = "Marquez' text for these fields could stand for others, so the id is ours."
UNTYPED = "In Marquez a field without type is a new row at every event."
AMENDED = "In Marquez a version keeps its schema version when it is read or written under other fields."
NESTED = "Marquez drops the columns within a column."
START = "In Marquez each RUNNING moves the start of the run, and a START opens it again."
NOMINAL = "In Marquez the nominal times of runs stay null."
BLANKED = "In Marquez an event without datasets takes the job's datasets out of the graph."
STREAMING = "In Marquez an event of a streaming job counts for its version only if it makes a new one."
JOB_EVENT = "In Marquez the version that a job event makes has the job's times."
PLAN = "Marquez keeps spark.logicalPlan once a run."
NULLS = "Marquez drops null members of facets."
TAGS = "Marquez reads no tags facet."
OWNERS = "Marquez reads no ownership facet."
TIMES = "Marquez brings times in facets that it knows to UTC."
REPEATS = "Events that were posted twice; here a repeat adds nothing."

OLDER_JACKSON = "Z[UTC]"
"""How a Marquez that was built with Jackson 2.15 or older ends the nominal times in the arguments of a run, as the
recorded one was. That which its build asks for writes `Z`."""


def as_a_newer_build_writes(tables: Mapping[str, Rows]) -> dict[str, Rows]:
    """The recorded rows with nominal times as of the newer Jackson, checksums and what names them included."""
    checksums = {}
    for row in tables.get("run_args", ()):
        arguments = json.loads(row["args"])
        written = {
            key: value.removesuffix(OLDER_JACKSON) + "Z" if key.startswith("nominal_") else value
            for key, value in arguments.items()
        }
        if written != arguments:
            checksums[row["checksum"]] = (RunArguments(written).checksum, RunArguments(written).text)
    return {table: [_with_arguments(row, checksums) for row in rows] for table, rows in tables.items()}


def _with_arguments(row: dict[str, Any], checksums: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    changed = dict(row)
    if row.get("checksum") in checksums:
        changed["checksum"], changed["args"] = checksums[row["checksum"]]
    if row.get("run_args_uuid") in checksums:
        changed["run_args_uuid"], _ = checksums[row["run_args_uuid"]]
    return changed


DIFFERENCES: Mapping[str, Mapping[str, Mapping[str, set[str]]]] = {
    "a-child-job-is-named-after-its-parent": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-child-that-carries-its-parents-name-keeps-its-own": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-child-without-event-type-is-refused-after-its-parent-was-made": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
        "run_facets": {REFUSED_THERE: {"*"}},
        "runs": {STATELESS: {"transitioned_at"}},
    },
    "a-column-read-under-a-drifted-schema": {
        "dataset_schema_versions": {AMENDED: {"*"}},
        "dataset_schema_versions_field_mapping": {AMENDED: {"*"}},
        "dataset_versions": {AMENDED: {"dataset_schema_version_uuid"}},
    },
    "a-column-with-an-empty-name-is-refused": {
        "dataset_facets": {REFUSED_THERE: {"*"}},
        "dataset_versions": {REFUSED_THERE: {"*"}},
        "dataset_versions_field_mapping": {REFUSED_THERE: {"*"}},
        "datasets": {REFUSED_THERE: {"current_version_uuid"}},
        "job_versions": {REFUSED_THERE: {"*"}},
        "job_versions_io_mapping": {REFUSED_THERE: {"*"}},
        "jobs": {REFUSED_THERE: {"current_version_uuid"}},
        "runs": {REFUSED_THERE: {"job_version_uuid"}},
    },
    "a-data-source-uri-that-never-is-a-uri-is-refused": {
        "dataset_facets": {REFUSED_THERE: {"*"}},
        "dataset_schema_versions": {REFUSED_THERE: {"*"}},
        "dataset_symlinks": {REFUSED_THERE: {"*"}},
        "dataset_versions": {REFUSED_THERE: {"*"}},
        "datasets": {REFUSED_THERE: {"*"}},
        "job_versions": {REFUSED_THERE: {"*"}},
        "job_versions_io_mapping": {REFUSED_THERE: {"*"}},
        "jobs": {REFUSED_THERE: {"current_version_uuid"}},
        "runs": {REFUSED_THERE: {"job_version_uuid"}},
        "sources": {REFUSED_THERE: {"*"}},
    },
    "a-drifted-input-reads-the-current-version": {
        "dataset_schema_versions": {AMENDED: {"*"}},
        "dataset_schema_versions_field_mapping": {AMENDED: {"*"}},
        "dataset_versions": {AMENDED: {"dataset_schema_version_uuid"}},
    },
    "a-job-event-after-a-run-takes-away-its-current-run": {
        "job_versions": {JOB_EVENT: {"updated_at"}},
    },
    "a-job-event-again-makes-nothing-new-but-facets": {
        "job_versions": {JOB_EVENT: {"updated_at"}},
    },
    "a-job-facet-is-one-row-an-event": {
        "owners": {OWNERS: {"*"}},
    },
    "a-job-that-gets-a-parent-later-is-two-jobs": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-job-version-collects-the-datasets-of-all-events-of-its-run": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-job-version-links-all-job-facets-of-its-run": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-known-parent-in-another-namespace-is-used": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-logical-plan-is-kept-once-a-run": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-nominal-time-is-brought-to-utc": {
        "run_facets": {TIMES: {"facet"}},
        "runs": {NOMINAL: {"nominal_end_time", "nominal_start_time"}},
    },
    "a-nominal-time-is-kept-in-the-run-args": {
        "runs": {NOMINAL: {"nominal_end_time", "nominal_start_time"}},
    },
    "a-nominal-time-may-have-no-end": {
        "runs": {NOMINAL: {"nominal_start_time"}},
    },
    "a-parent-made-from-a-childs-complete-is-completed": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-made-from-its-child-has-the-childs-nominal-time": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
        "runs": {NOMINAL: {"nominal_end_time", "nominal_start_time"}},
    },
    "a-parent-may-have-a-dot-in-its-name": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-named-as-its-child-is-cut-at-the-last-dot": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-named-as-its-child-without-a-dot": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-run-id-that-is-no-uuid-is-hashed": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-run-id-that-is-no-uuid-is-hashed-with-the-dag-name": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-run-that-belongs-to-another-job-gets-a-run-of-its-own": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-that-never-reports-is-made-from-its-child": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-parent-that-reports-after-its-child-takes-its-run": {
        "jobs": {OWN_RUN: {"current_run_uuid"}, REPORTED: {"created_at"}},
        "run_states": {REPORTED: {"*"}},
        "runs": {REPORTED: {"created_at"}},
    },
    "a-parents-current-run-stands-in-its-child": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-root-in-the-parent-facet-makes-no-rows": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-run-facet-is-one-row-an-event": {
        "runs": {NOMINAL: {"nominal_start_time"}},
    },
    "a-run-that-does-not-end-makes-no-job-version": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-run-that-names-its-parent-only-later-has-none": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
        "runs": {NAMED_LATER: {"parent_run_uuid"}},
    },
    "a-running-event-does-not-move-the-current-version": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-running-event-moves-the-start": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-spark-application-runs-under-an-airflow-task": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-start-after-complete-reopens-the-run": {
        "runs": {START: {"current_run_state", "start_run_state_uuid", "started_at", "transitioned_at"}},
    },
    "a-start-without-datasets-blanks-the-mapping-until-complete": {
        "job_versions_io_mapping": {BLANKED: {"is_current_job_version"}},
    },
    "a-streaming-complete-without-datasets-changes-only-the-state": {
        "job_facets": {STREAMING: {"job_version_uuid"}},
        "job_versions": {STREAMING: {"updated_at"}},
    },
    "a-streaming-event-without-outputs-blanks-them": {
        "job_facets": {STREAMING: {"job_version_uuid"}},
        "job_versions": {STREAMING: {"updated_at"}},
        "job_versions_io_mapping": {BLANKED: {"is_current_job_version"}},
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-streaming-fail-without-datasets-changes-only-the-state": {
        "job_facets": {STREAMING: {"job_version_uuid"}},
        "job_versions": {STREAMING: {"updated_at"}},
    },
    "a-streaming-job-keeps-its-version-while-nothing-changes": {
        "job_facets": {STREAMING: {"job_version_uuid"}},
        "job_versions": {STREAMING: {"updated_at"}},
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-streaming-job-that-runs-again-has-the-same-version": {
        "job_facets": {STREAMING: {"job_version_uuid"}},
        "job_versions": {STREAMING: {"latest_run_uuid", "updated_at"}},
        "job_versions_io_mapping": {BLANKED: {"is_current_job_version"}},
        "runs": {STREAMING: {"job_version_uuid"}},
    },
    "a-streaming-job-with-a-new-input-has-a-new-version": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-streaming-sink-that-changes-its-schema": {
        "job_facets": {STREAMING: {"job_version_uuid"}},
        "job_versions": {STREAMING: {"updated_at"}},
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "a-task-in-a-group-keeps-the-group-in-its-name": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "a-type-in-other-case-is-another-field-and-schema-but-not-another-hash": {
        "dataset_schema_versions": {AMENDED: {"*"}},
        "dataset_schema_versions_field_mapping": {AMENDED: {"*"}},
        "dataset_versions": {AMENDED: {"dataset_schema_version_uuid"}},
    },
    "a-typed-and-an-untyped-column-differ-in-the-schema-version": {
        "dataset_fields": {UNTYPED: {"*"}},
        "dataset_schema_versions": {AMBIGUOUS: {"uuid"}},
        "dataset_schema_versions_field_mapping": {AMBIGUOUS: {"dataset_schema_version_uuid"}},
        "dataset_versions": {AMBIGUOUS: {"dataset_schema_version_uuid"}},
        "dataset_versions_field_mapping": {UNTYPED: {"*"}},
    },
    "a-typed-facet-without-producer-is-refused": {
        "jobs": {REFUSED_THERE: {"created_at"}},
        "namespaces": {REFUSED_THERE: {"created_at", "updated_at"}},
        "run_args": {REFUSED_THERE: {"*"}},
        "run_facets": {REFUSED_THERE: {"*"}},
        "run_states": {REFUSED_THERE: {"*"}},
        "runs": {
            NOMINAL: {"nominal_start_time"},
            REFUSED_THERE: {"created_at", "run_args_uuid", "start_run_state_uuid", "started_at"},
        },
    },
    "an-event-without-outputs-blanks-only-the-outputs": {
        "job_versions_io_mapping": {BLANKED: {"is_current_job_version"}},
    },
    "an-event-without-type-but-with-run-facets-is-refused": {
        "dataset_schema_versions": {REFUSED_THERE: {"*"}},
        "dataset_symlinks": {REFUSED_THERE: {"*"}},
        "dataset_versions": {REFUSED_THERE: {"*"}},
        "datasets": {REFUSED_THERE: {"*"}},
        "namespaces": {REFUSED_THERE: {"*"}},
        "run_facets": {REFUSED_THERE: {"*"}},
        "runs_input_mapping": {REFUSED_THERE: {"*"}},
        "sources": {REFUSED_THERE: {"*"}},
    },
    "an-input-namespace-with-forbidden-characters-is-refused-at-once": {
        "dataset_schema_versions": {REFUSED_THERE: {"*"}},
        "dataset_symlinks": {REFUSED_THERE: {"*"}},
        "dataset_versions": {REFUSED_THERE: {"*"}},
        "datasets": {REFUSED_THERE: {"*"}},
        "job_versions": {REFUSED_THERE: {"version"}},
        "job_versions_io_mapping": {REFUSED_THERE: {"*"}},
        "jobs": {REFUSED_THERE: {"created_at", "current_version_uuid"}},
        "namespaces": {REFUSED_THERE: {"*"}},
        "run_args": {REFUSED_THERE: {"created_at"}},
        "run_states": {REFUSED_THERE: {"*"}},
        "runs": {REFUSED_THERE: {"created_at", "job_version_uuid", "start_run_state_uuid", "started_at"}},
        "runs_input_mapping": {REFUSED_THERE: {"*"}},
        "sources": {REFUSED_THERE: {"*"}},
    },
    "an-output-namespace-with-forbidden-characters-is-refused-when-the-job-version-is-made": {
        "datasets": {REFUSED_THERE: {"current_version_uuid"}},
        "job_versions": {REFUSED_THERE: {"*"}},
        "job_versions_io_mapping": {REFUSED_THERE: {"*"}},
        "jobs": {REFUSED_THERE: {"current_version_uuid"}},
        "runs": {REFUSED_THERE: {"job_version_uuid"}},
    },
    "an-unknown-parent-in-another-namespace-is-made-in-the-childs": {
        "jobs": {REPORTED: {"*"}},
        "run_states": {REPORTED: {"*"}},
        "runs": {REPORTED: {"*"}},
    },
    "an-untyped-field-is-a-new-row-at-every-event": {
        "dataset_fields": {UNTYPED: {"*"}},
        "dataset_schema_versions": {AMBIGUOUS: {"uuid"}},
        "dataset_schema_versions_field_mapping": {AMBIGUOUS: {"dataset_schema_version_uuid"}},
        "dataset_versions": {AMBIGUOUS: {"dataset_schema_version_uuid"}},
        "dataset_versions_field_mapping": {UNTYPED: {"*"}},
    },
    "compatibility-tests": {
        "column_lineage": {TRANSFORMATIONS: {"transformation_type"}},
        "dataset_facets": {REPEATS: {"*"}},
        "dataset_versions": {NESTED: {"fields"}},
        "job_facets": {REPEATS: {"*"}},
        "jobs": {OWN_RUN: {"current_run_uuid"}},
        "owners": {OWNERS: {"*"}},
        "run_facets": {PLAN: {"*"}},
        "run_states": {REPEATS: {"*"}},
        "runs": {
            NOMINAL: {"nominal_end_time", "nominal_start_time"},
            START: {"start_run_state_uuid", "started_at"},
        },
    },
    "every-event-type-writes-a-state": {
        "runs": {START: {"start_run_state_uuid", "started_at"}},
    },
    "marquez-seed": {
        "run_facets": {TIMES: {"facet"}},
        "runs": {NOMINAL: {"nominal_end_time", "nominal_start_time"}},
    },
    "names-with-colons-and-quotes-are-hashed-as-they-are": {
        "dataset_schema_versions": {AMBIGUOUS: {"uuid"}},
        "dataset_schema_versions_field_mapping": {AMBIGUOUS: {"dataset_schema_version_uuid"}},
        "dataset_versions": {AMBIGUOUS: {"dataset_schema_version_uuid"}},
    },
    "nested-fields-are-not-fields-of-the-dataset": {
        "dataset_versions": {NESTED: {"fields"}},
    },
    "null-members-of-facets-are-dropped": {
        "dataset_facets": {NULLS: {"facet"}},
        "job_facets": {NULLS: {"facet"}},
        "run_facets": {NULLS: {"facet"}},
    },
    "ownership-facets-make-no-owners": {
        "owners": {OWNERS: {"*"}},
    },
    "runs-with-the-same-args-share-them": {
        "runs": {NOMINAL: {"nominal_start_time"}},
    },
    "tags-facets-make-no-tags": {
        "dataset_fields_tag_mapping": {TAGS: {"*"}},
        "jobs_tag_mapping": {TAGS: {"*"}},
        "tags": {TAGS: {"*"}},
    },
    "the-older-facet-parentRun-is-read-as-parent": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "the-run-args-are-those-of-the-first-event": {
        "runs": {NOMINAL: {"nominal_start_time"}},
    },
    "times-in-typed-facets-are-brought-to-utc": {
        "run_facets": {TIMES: {"facet"}},
        "runs": {NOMINAL: {"nominal_start_time"}},
    },
    "the-facets-of-a-dataset-have-a-type-by-their-name": {
        "datasets_tag_mapping": {TAGS: {"*"}},
        "owners": {OWNERS: {"*"}},
        "tags": {TAGS: {"*"}},
    },
    "transformations-stay-in-the-facet": {
        "column_lineage": {TRANSFORMATIONS: {"*"}},
    },
    "two-children-share-a-parent-run": {
        "jobs": {OWN_RUN: {"current_run_uuid"}},
    },
    "unknown-members-of-typed-facets-are-kept": {
        "runs": {NOMINAL: {"nominal_start_time"}},
    },
}
