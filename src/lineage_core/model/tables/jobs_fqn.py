"""jobs_fqn: full names of jobs; Marquez keeps the table, and has not used it since its migration 61."""

from __future__ import annotations

from lineage_core.declare.vocabulary import (
    UNFILLED,
    UUID,
    VARCHAR,
    Column,
    Table,
    TableStream,
    Type,
)

TABLE = Table(
    name="jobs_fqn",
    doc="Full names of jobs. Marquez keeps the table, and has not used it since its migration 61.",
    columns=(
        Column("uuid", UUID, UNFILLED, "The job.", nullable=False),
        Column("namespace_uuid", UUID, UNFILLED, "Its namespace.", nullable=False),
        Column("namespace_name", VARCHAR, UNFILLED, "Name of its namespace.", nullable=False),
        Column("parent_job_name", VARCHAR, UNFILLED, "Name of the job it is part of."),
        Column("aliases", Type("varchar[]"), UNFILLED, "Other full names that mean the same job."),
        Column("job_fqn", VARCHAR, UNFILLED, "Its full name.", nullable=False),
    ),
    primary_key=("uuid",),
    stream=TableStream(),
)
