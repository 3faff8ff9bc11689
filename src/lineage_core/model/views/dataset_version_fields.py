"""dataset_version_fields: the columns of each dataset version."""

from __future__ import annotations

from lineage_core.model.view import View

VIEW = View(
    name="dataset_version_fields",
    doc="The columns of each dataset version, by the mapping that the flag of the migration `schema-versions` chooses.",
    readers="every reader of columns",
    reads=(
        "dataset_fields",
        "dataset_schema_versions_field_mapping",
        "dataset_versions",
        "dataset_versions_field_mapping",
        "migrations",
    ),
)
