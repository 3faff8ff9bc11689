"""job_facets: the facets of jobs, a row an event."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.model.meaning.facet_rows import stored_facets
from lineage_core.model.meaning.job_descriptions import mentioned_job
from lineage_core.model.vocabulary import (
    BYTEA,
    DERIVED,
    JSONB,
    SAME,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Reference,
    Row,
    Table,
    varchar,
)
from lineage_core.openlineage.events import Event


def rows(event: Event) -> Iterator[Row]:
    if event.job is None:
        return
    for name, facet in stored_facets(event.job.facets):
        yield {
            "created_at": event.time,
            "job_uuid": mentioned_job(event),
            "run_uuid": event.run.uuid if event.run else None,
            "lineage_event_time": event.time,
            "lineage_event_type": event.event_type if event.run else None,
            "name": name,
            "facet": facet,
        }


TABLE = Table(
    name="job_facets",
    doc="The facets of jobs, a row an event.",
    rows=rows,
    append=True,
    by_hand=True,
    columns=(
        Column("created_at", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("job_uuid", UUID, SAME, "The job.", reference=Reference("jobs"), entity="jobs"),
        Column("run_uuid", UUID, SAME, "The run; null for job events."),
        Column("lineage_event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("lineage_event_type", varchar(64), SAME, "Type of the event; null for job events."),
        Column("name", varchar(255), SAME, "The facet's key.", nullable=False),
        Column("facet", JSONB, SAME, "An object with that key and the facet as it came.", nullable=False),
        Column(
            "job_version_uuid",
            UUID,
            DERIVED,
            "The version that the run, or the job event, made.",
            reference=Reference("job_versions"),
        ),
        Column("event_order", BYTEA, DERIVED, "Order of the job event that brought it; null for run events."),
    ),
    indexes=(
        Index("job_facets_job_uuid_index", "(job_uuid)", "Facets of a job."),
        Index("job_facets_job_version_uuid", "(job_version_uuid)", "Facets of a job version."),
        Index("job_facets_run_uuid_index", "(run_uuid)", "Facets that a run gave its job."),
    ),
)
