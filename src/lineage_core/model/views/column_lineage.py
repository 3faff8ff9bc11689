"""column_lineage: which column an output column was made from, a row for each pair of dataset versions."""

from __future__ import annotations

from lineage_core.model.view import View, ViewStream
from lineage_core.model.vocabulary import TEXT, TIMESTAMP, UUID, varchar

VIEW = View(
    name="column_lineage",
    doc="Which input column an output column was made from, a row for each pair of dataset versions.",
    readers="Marquez' server",
    reads=("column_lineage_pairs", "column_lineage_versions"),
    stream=ViewStream(
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
    ),
)
