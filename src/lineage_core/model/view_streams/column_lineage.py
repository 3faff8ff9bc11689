"""The changelog stream of the view column_lineage."""

from __future__ import annotations

from lineage_core.model.view import ViewStream
from lineage_core.model.vocabulary import TEXT, TIMESTAMP, UUID, varchar

VIEW_STREAM = ViewStream(
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
        "column_lineage_pairs": (
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
