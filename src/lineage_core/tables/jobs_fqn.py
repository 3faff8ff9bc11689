"""jobs_fqn: full names of jobs; Marquez keeps the table, and has not used it since its migration 61."""

from __future__ import annotations

from lineage_core.relation import OPERATOR, UUID, VARCHAR, Column, Table, Type

TABLE = Table(
    name="jobs_fqn",
    doc="Full names of jobs. Marquez keeps the table, and has not used it since its migration 61.",
    columns=(
        Column("uuid", UUID, OPERATOR, "The job.", nullable=False),
        Column("namespace_uuid", UUID, OPERATOR, "Its namespace.", nullable=False),
        Column("namespace_name", VARCHAR, OPERATOR, "Name of its namespace.", nullable=False),
        Column("parent_job_name", VARCHAR, OPERATOR, "Name of the job it is part of."),
        Column("aliases", Type("varchar[]"), OPERATOR, "Other full names that mean the same job."),
        Column("job_fqn", VARCHAR, OPERATOR, "Its full name.", nullable=False),
    ),
    primary_key=("uuid",),
)
