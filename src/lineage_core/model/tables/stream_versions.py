"""stream_versions: where the schema of a stream's version is kept; only Marquez' older API writes it."""

from __future__ import annotations

from lineage_core.model.leaving import GoesWith
from lineage_core.model.vocabulary import (
    UNFILLED,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
    Unique,
    varchar,
)

TABLE = Table(
    name="stream_versions",
    doc="Where the schema of a stream's version is kept; only Marquez' older API writes it.",
    columns=(
        Column(
            "dataset_version_uuid",
            UUID,
            UNFILLED,
            "Version of the stream.",
            reference=Reference("dataset_versions"),
        ),
        Column("schema_location", varchar(255), UNFILLED, "Address of its schema.", nullable=False),
    ),
    unique=(Unique(("schema_location",), "stream_versions_schema_location_key"),),
    indexes=(
        Index(
            "stream_versions_dataset_version_index",
            "(dataset_version_uuid)",
            "A version has one row at most; removal of a dataset version.",
            unique=True,
        ),
    ),
    stream=TableStream(has_key=False),
    retention=(GoesWith("dataset_versions", "dataset_version_uuid"),),
)
