"""job_versions_io_mapping: which datasets a job version reads and writes."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    DERIVED,
    OPERATOR,
    TIMESTAMP,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
    Unique,
    unenforced,
    varchar,
)

TABLE = Table(
    name="job_versions_io_mapping",
    doc="Which datasets a job version reads and writes, and whether that is what the job now does.",
    columns=(
        Column("job_version_uuid", UUID, DERIVED, "The version.", reference=Reference("job_versions")),
        Column("dataset_uuid", UUID, DERIVED, "The dataset.", nullable=False, reference=unenforced("datasets")),
        Column("io_type", varchar(64), DERIVED, "INPUT or OUTPUT.", nullable=False),
        Column("job_uuid", UUID, DERIVED, "Job of the version.", reference=unenforced("jobs")),
        Column("job_symlink_target_uuid", UUID, OPERATOR, "The job that took its place.", reference=Reference("jobs")),
        Column(
            "is_current_job_version", BOOLEAN, DERIVED, "Whether the version is the job's current one.", default="false"
        ),
        Column("made_current_at", TIMESTAMP, DERIVED, "Since when it is current, in UTC; null if it is not."),
    ),
    unique=(
        Unique(("job_version_uuid", "dataset_uuid", "io_type", "job_uuid"), "job_versions_io_mapping_mapping_pkey"),
    ),
    indexes=(
        Index("job_versions_io_mapping_dataset_index", "(dataset_uuid)", "Jobs that read or write a dataset."),
        Index(
            "job_versions_io_mapping_job_uuid_job_symlink_target_uuid",
            "(job_uuid, job_symlink_target_uuid)",
            "What a job reads and writes, as the API's lineage graph asks.",
        ),
        Index(
            "job_versions_io_mapping_symlink_target_index",
            "(job_symlink_target_uuid)",
            "Removal of a job that took another's place.",
            where="job_symlink_target_uuid IS NOT NULL",
        ),
    ),
    # Its columns may be null, and a unique constraint takes nulls for different: no columns name a row.
    stream=TableStream(event_time=("made_current_at",), has_key=False),
    retention=(
        GoesWith("job_versions", "job_version_uuid"),
        Keeps("datasets", ("dataset_uuid",)),
        Keeps("jobs", ("job_uuid", "job_symlink_target_uuid")),
    ),
)
