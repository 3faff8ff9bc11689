"""job_labels: what the last facets that label a job say, before it becomes rows of other tables."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import JSONB, KEY, SAME, TIMESTAMPTZ, UUID, Column, Index, Reference, Row, Table
from lineage_core.model.meaning.job_descriptions import mentioned_job
from lineage_core.model.meaning.labels import LATEST_OWNERS, LATEST_TAGS, label_columns
from lineage_core.openlineage.events import Event


def rows(event: Event) -> Iterator[Row]:
    labels = label_columns(event.job, event.moment) if event.job else {}
    if labels:
        named = mentioned_job(event)
        yield {"uuid": named, "job_uuid": named, **labels}


TABLE = Table(
    name="job_labels",
    doc=(
        "The tags and owners that the last event with such a facet gives a job, a row for each of its names."
        " Tags and ownerships follow from it."
    ),
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the name by which events call the job.", nullable=False),
        Column(
            "job_uuid",
            UUID,
            SAME,
            "The job that bears the name.",
            nullable=False,
            reference=Reference("jobs"),
            entity="jobs",
        ),
        Column("tags", JSONB, LATEST_TAGS, "Name of each tag."),
        Column("tags_reported_at", TIMESTAMPTZ, LATEST_TAGS, "Time of that event."),
        Column("owners", JSONB, LATEST_OWNERS, "Name and type of each owner."),
        Column("owners_reported_at", TIMESTAMPTZ, LATEST_OWNERS, "Time of that event."),
    ),
    primary_key=("uuid",),
    indexes=(Index("job_labels_job_uuid_index", "(job_uuid)", "Labels of a job; its removal."),),
    retention=(GoesWith("jobs", "job_uuid"),),
)
