"""The changelog streams of views."""

from __future__ import annotations

from lineage_core.declare.views import ViewStream
from lineage_core.declare.vocabulary import JSONB, TEXT, TIMESTAMP, TIMESTAMPTZ, UUID, varchar

COLUMN_LINEAGE = ViewStream(
    name="column_lineage",
    columns={
        "output_dataset_version_uuid": UUID,
        "output_dataset_field_uuid": UUID,
        "input_dataset_version_uuid": UUID,
        "input_dataset_field_uuid": UUID,
        "transformation_description": TEXT,
        "transformation_type": varchar(255),
        "created_at": TIMESTAMP,
    },
    captured={
        "column_lineage_versions": (
            "output_dataset_version_uuid",
            "input_dataset_version_uuid",
            "pairs_uuid",
            "created_at",
        ),
    },
    contents={
        "column_lineage_lists": (
            "pairs_uuid",
            "output_field_uuids",
            "input_field_uuids",
            "transformation_descriptions",
            "transformation_types",
            "first_stated_at",
        ),
        "column_pairs_to_move": (
            "pairs_uuid",
            "output_dataset_field_uuid",
            "input_dataset_field_uuid",
            "transformation_description",
            "transformation_type",
            "created_at",
        ),
    },
    key=(
        "output_dataset_version_uuid",
        "output_dataset_field_uuid",
        "input_dataset_version_uuid",
        "input_dataset_field_uuid",
    ),
    event_time=("created_at",),
)
"""The changelog stream of the view column_lineage."""

DATASET_FACETS = ViewStream(
    name="dataset_facets",
    columns={
        "created_at": TIMESTAMPTZ,
        "dataset_uuid": UUID,
        "dataset_version_uuid": UUID,
        "run_uuid": UUID,
        "lineage_event_time": TIMESTAMPTZ,
        "lineage_event_type": varchar(64),
        "type": varchar(64),
        "name": varchar(255),
        "facet": JSONB,
    },
    captured={
        "dataset_mentions": (
            "dataset_uuid",
            "role",
            "event_time",
            "run_uuid",
            "version_uuid",
            "lineage_event_type",
            "facets_uuid",
            "io_facets_uuid",
            "is_purged",
        ),
    },
    contents={"facet_sets": ("uuid", "facets"), "facets": ("uuid", "name", "facet")},
    event_time=("lineage_event_time",),
)
"""The changelog stream of the view dataset_facets."""

DATASET_SCHEMA_VERSIONS_FIELD_MAPPING = ViewStream(
    name="dataset_schema_versions_field_mapping",
    columns={"dataset_schema_version_uuid": UUID, "dataset_field_uuid": UUID},
    captured={
        "dataset_schema_versions": ("uuid", "field_uuids"),
        "schema_fields_to_move": ("dataset_schema_version_uuid", "dataset_field_uuid"),
    },
    contents={},
    key=("dataset_schema_version_uuid", "dataset_field_uuid"),
)
"""The changelog stream of the view dataset_schema_versions_field_mapping."""

JOB_FACETS = ViewStream(
    name="job_facets",
    columns={
        "created_at": TIMESTAMPTZ,
        "job_uuid": UUID,
        "run_uuid": UUID,
        "lineage_event_time": TIMESTAMPTZ,
        "lineage_event_type": varchar(64),
        "name": varchar(255),
        "facet": JSONB,
    },
    captured={
        "event_ledger": ("job_uuid", "run_uuid", "event_time", "lineage_event_type", "job_facets_uuid"),
    },
    contents={"facet_sets": ("uuid", "facets"), "facets": ("uuid", "name", "facet")},
    event_time=("lineage_event_time",),
)
"""The changelog stream of the view job_facets."""

RUN_FACETS = ViewStream(
    name="run_facets",
    columns={
        "created_at": TIMESTAMPTZ,
        "run_uuid": UUID,
        "lineage_event_time": TIMESTAMPTZ,
        "lineage_event_type": varchar(64),
        "name": varchar(255),
        "facet": JSONB,
    },
    captured={
        "event_ledger": ("run_uuid", "event_time", "lineage_event_type", "run_facets_uuid"),
        "run_facets_kept_once": ("run_uuid", "event_time", "lineage_event_type", "facet_uuid"),
    },
    contents={"facet_sets": ("uuid", "facets"), "facets": ("uuid", "name", "facet")},
    event_time=("lineage_event_time",),
)
"""The changelog stream of the view run_facets."""
