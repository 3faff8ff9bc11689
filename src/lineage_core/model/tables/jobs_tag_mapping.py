"""jobs_tag_mapping: the tags that events and people put on jobs."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import (
    DERIVED,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    OnDelete,
    Reference,
    Table,
    TableStream,
)
from lineage_core.model.meaning.labels import IS_REPORTED

TABLE = Table(
    name="jobs_tag_mapping",
    doc="The tags that events and people put on jobs. A job that bears one cannot be removed before its tags are.",
    open_to_operators=True,
    marquez_rights="INSERT, DELETE",
    columns=(
        Column(
            "job_uuid",
            UUID,
            DERIVED,
            "Job that bears the tag.",
            nullable=False,
            reference=Reference("jobs", OnDelete.NO_ACTION),
        ),
        Column(
            "tag_uuid",
            UUID,
            DERIVED,
            "Tag that it bears.",
            nullable=False,
            reference=Reference("tags", OnDelete.NO_ACTION),
        ),
        Column(
            "tagged_at",
            TIMESTAMPTZ,
            DERIVED,
            "When a person put it there, or the time of the event that reports it.",
            nullable=False,
        ),
        IS_REPORTED,
    ),
    primary_key=("tag_uuid", "job_uuid"),
    indexes=(
        Index("jobs_tag_mapping_job_uuid_index", "(job_uuid)", "Tags of one job; the check when a job is removed."),
    ),
    stream=TableStream(event_time=("tagged_at",)),
    retention=(GoesWith("jobs", "job_uuid"),),
)
