"""tags: words that people put on datasets, columns and jobs."""

from __future__ import annotations

from lineage_core.relation import OPERATOR, TEXT, TIMESTAMPTZ, UUID, VARCHAR, Column, Table, Unique

TABLE = Table(
    name="tags",
    doc="Words that people put on datasets, columns and jobs.",
    columns=(
        Column("uuid", UUID, OPERATOR, "Identity of the tag.", nullable=False),
        Column("created_at", TIMESTAMPTZ, OPERATOR, "When it was made.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, OPERATOR, "When it was last changed.", nullable=False),
        Column("name", VARCHAR, OPERATOR, "The word itself.", nullable=False),
        Column("description", TEXT, OPERATOR, "What it means."),
    ),
    primary_key=("uuid",),
    unique=(Unique(("name",), "tags_name_key"),),
)
