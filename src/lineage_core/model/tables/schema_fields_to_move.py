"""schema_fields_to_move: the columns of schema versions that a release of before has kept one by one."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import (
    DERIVED,
    UUID,
    Column,
    Index,
    Reference,
    Table,
)

TABLE = Table(
    name="schema_fields_to_move",
    doc=(
        "The columns of schema versions whose `field_uuids` is null: an earlier release has kept them one by one."
        " Nothing is added, and the long migration `schema-fields` empties it."
    ),
    columns=(
        Column(
            "dataset_schema_version_uuid",
            UUID,
            DERIVED,
            "The schema version.",
            nullable=False,
            reference=Reference("dataset_schema_versions"),
        ),
        Column(
            "dataset_field_uuid",
            UUID,
            DERIVED,
            "A column of it.",
            nullable=False,
            reference=Reference("dataset_fields"),
        ),
    ),
    primary_key=("dataset_schema_version_uuid", "dataset_field_uuid"),
    indexes=(Index("schema_fields_to_move_field_index", "(dataset_field_uuid)", "Removal of a column."),),
    retention=(
        GoesWith(
            "dataset_schema_versions",
            statement="schema_versions/schema_fields_to_move",
            counted="leaving_schema_fields",
        ),
        Keeps("dataset_fields", ("dataset_field_uuid",)),
    ),
)
