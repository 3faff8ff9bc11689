"""job_version_timeline: which version of a job was in force from when."""

from __future__ import annotations

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import BYTEA, DERIVED, UUID, Column, Table, TableStream, unenforced

TABLE = Table(
    name="job_version_timeline",
    doc="Which version of a job was in force from when, by the order of events; job_edges follow from it.",
    columns=(
        Column("job_uuid", UUID, DERIVED, "The job.", nullable=False, reference=unenforced("jobs")),
        Column(
            "event_order",
            BYTEA,
            DERIVED,
            "Order of the event: a COMPLETE, a job event, or an event of a streaming job that names datasets.",
            nullable=False,
        ),
        Column("run_uuid", UUID, DERIVED, "The run of that event, which may be gone; null for a job event."),
        Column("job_version_uuid", UUID, DERIVED, "The version, which may be gone.", nullable=False),
    ),
    primary_key=("job_uuid", "event_order"),
    stream=TableStream(),
    retention=(
        Leaves("leaving_moments", statement="moments/job_version_timeline"),
        Keeps("jobs", ("job_uuid",)),
    ),
)
