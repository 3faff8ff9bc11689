"""job_ownerships: who owns a job, by its ownership facet."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith
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
)

TABLE = Table(
    name="job_ownerships",
    doc="Who owns a job: all that the last ownership facet of the job says.",
    columns=(
        Column("job_uuid", UUID, DERIVED, "Job that is owned.", nullable=False, reference=Reference("jobs")),
        Column("owner_uuid", UUID, DERIVED, "Who owns it.", nullable=False, reference=Reference("owners")),
        Column("type", VARCHAR, DERIVED, "What kind of owner, such as MAINTAINER; empty if not given.", nullable=False),
        Column("reported_at", TIMESTAMPTZ, DERIVED, "Time of the event that says so.", nullable=False),
    ),
    primary_key=("job_uuid", "owner_uuid", "type"),
    indexes=(Index("job_ownerships_owner_uuid_index", "(owner_uuid)", "What somebody owns; removal of an owner."),),
    stream=TableStream(event_time=("reported_at",)),
    retention=(GoesWith("jobs", "job_uuid"),),
)
