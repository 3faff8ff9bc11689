"""jobs_tag_mapping: the tags that people put on jobs."""

from __future__ import annotations

from lineage_core.relation import OPERATOR, TIMESTAMPTZ, UUID, Column, Index, OnDelete, Reference, Table

TABLE = Table(
    name="jobs_tag_mapping",
    doc="The tags that people put on jobs. A job that bears one cannot be removed before its tags are.",
    columns=(
        Column(
            "job_uuid",
            UUID,
            OPERATOR,
            "Job that bears the tag.",
            nullable=False,
            reference=Reference("jobs", OnDelete.NO_ACTION),
        ),
        Column(
            "tag_uuid",
            UUID,
            OPERATOR,
            "Tag that it bears.",
            nullable=False,
            reference=Reference("tags", OnDelete.NO_ACTION),
        ),
        Column("tagged_at", TIMESTAMPTZ, OPERATOR, "When it was put there.", nullable=False),
    ),
    primary_key=("tag_uuid", "job_uuid"),
    indexes=(
        Index("jobs_tag_mapping_job_uuid_index", "(job_uuid)", "Tags of one job; the check when a job is removed."),
    ),
)
