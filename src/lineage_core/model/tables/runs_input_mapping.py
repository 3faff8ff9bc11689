"""runs_input_mapping: which dataset versions a run read."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import (
    DERIVED,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
    unenforced,
)

TABLE = Table(
    name="runs_input_mapping",
    doc="Which dataset versions a run read: at each of its events, the version that was current then.",
    columns=(
        Column("run_uuid", UUID, DERIVED, "The run.", nullable=False, reference=unenforced("runs")),
        Column(
            "dataset_version_uuid",
            UUID,
            DERIVED,
            "A version that it read.",
            nullable=False,
            reference=Reference("dataset_versions"),
        ),
    ),
    primary_key=("run_uuid", "dataset_version_uuid"),
    indexes=(
        Index(
            "runs_input_mapping_dataset_version_index",
            "(dataset_version_uuid)",
            "Runs that read a version; removal of a version.",
        ),
    ),
    stream=TableStream(),
    retention=(
        GoesWith("runs", "run_uuid"),
        Keeps("dataset_versions", ("dataset_version_uuid",)),
    ),
)
