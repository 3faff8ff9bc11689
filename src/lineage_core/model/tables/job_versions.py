"""job_versions: each combination of datasets and source code that a job had."""

from __future__ import annotations

from lineage_core.declare.leaving import ChangesWith, Keeps, Leaves
from lineage_core.declare.vocabulary import (
    DERIVED,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
    Unique,
)

TABLE = Table(
    name="job_versions",
    doc="Each combination of datasets and source code that a job had; derived from event_ledger.",
    columns=(
        Column("uuid", UUID, DERIVED, "As version, unless Marquez gave another.", nullable=False),
        Column("created_at", TIMESTAMPTZ, DERIVED, "Time of the first event that made it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, DERIVED, "Time of the last event that made it.", nullable=False),
        Column("job_uuid", UUID, DERIVED, "Its job.", reference=Reference("jobs")),
        Column("version", UUID, DERIVED, "Follows from job, datasets and location.", nullable=False),
        Column("location", VARCHAR, DERIVED, "Where its source code lies; Marquez takes 255 characters at most."),
        Column("latest_run_uuid", UUID, DERIVED, "The last run of it; null if only job events made it."),
        Column("job_context_uuid", UUID, DERIVED, "Never set by OpenLineage events."),
        Column("namespace_uuid", UUID, DERIVED, "Namespace of its job."),
        Column("namespace_name", VARCHAR, DERIVED, "Name of that namespace."),
        Column("job_name", VARCHAR, DERIVED, "Name of its job."),
    ),
    fillfactor=70,
    primary_key=("uuid",),
    unique=(Unique(("version",), "job_versions_version"),),
    indexes=(
        Index("job_versions_job_uuid_index", "(job_uuid)", "All versions of a job; removal of a job."),
        Index("job_versions_selector", "(job_name, namespace_name)", "Versions by the job's name, as the API asks."),
    ),
    stream=TableStream(event_time=("created_at",)),
    retention=(
        Leaves("leaving_job_versions", planned="uuid", judged="old_job_versions"),
        ChangesWith("runs", "runs/name_other_runs", clears=("runs",)),
        Keeps("jobs", ("job_uuid",)),
    ),
)
