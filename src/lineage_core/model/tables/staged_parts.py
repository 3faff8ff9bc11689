"""staged_parts: the manifest of what each task has staged."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, DEFAULT, INTEGER, JSONB, PLATFORM, TIMESTAMPTZ, Column, Table

TABLE = Table(
    name="staged_parts",
    doc="What each task has staged. A crash empties the staging tables but not this manifest, so the loss is seen.",
    columns=(
        Column(
            "part_id",
            BIGINT,
            DEFAULT,
            "The attempt of one task; its staged rows bear it.",
            nullable=False,
            sequence="staged_parts_id_seq",
        ),
        Column("epoch", BIGINT, PLATFORM, "Epoch of the lease under which it was staged.", nullable=False),
        Column("slice", BIGINT, PLATFORM, "Slice that it is a part of.", nullable=False),
        Column("partition", INTEGER, PLATFORM, "Task of that slice.", nullable=False),
        Column("rows", JSONB, PLATFORM, "Number of rows staged for each table.", nullable=False),
        Column("staged_at", TIMESTAMPTZ, DEFAULT, "When it was staged.", nullable=False, default="now()"),
    ),
    primary_key=("part_id",),
)
