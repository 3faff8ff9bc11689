"""event_ledger: every event that is in the tables, and what it does beyond naming things."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import ChangesWith, GoesWith, Keeps, Leaves
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    BYTEA,
    DERIVED,
    KEY,
    PLATFORM,
    SAME,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Row,
    Table,
    varchar,
)
from lineage_core.model.meaning.facet_rows import mentioned_facets, set_uuid
from lineage_core.model.meaning.job_descriptions import is_streaming, location, mentioned_job
from lineage_core.openlineage.events import Event, Kind, RunState


def rows(event: Event) -> Iterator[Row]:
    yield {
        "event_order": event.order,
        "event_time": event.time,
        "run_uuid": event.run.uuid if event.run else None,
        "job_uuid": mentioned_job(event),
        "is_complete": event.ending is RunState.COMPLETED,
        "makes_job_version": _makes_job_version(event),
        "location": location(event),
        "lineage_event_type": event.event_type if event.run else None,
        "run_facets_uuid": set_uuid(mentioned_facets(event.run).own) if event.run else None,
        "job_facets_uuid": set_uuid(mentioned_facets(event.job).own) if event.job else None,
    }


def _makes_job_version(event: Event) -> bool:
    """A run's ending does, a job event, and every event of a streaming job (marquez-model, section 2.4)."""
    return event.kind is Kind.JOB or event.ending is not None or (event.kind is Kind.RUN and is_streaming(event))


TABLE = Table(
    name="event_ledger",
    doc="Every event that is in the tables. An event that it holds is not counted again.",
    rows=rows,
    append=True,
    by_hand=True,
    columns=(
        Column("event_order", BYTEA, KEY, "Order of the event, with its digest at the end.", nullable=False),
        Column("event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("run_uuid", UUID, SAME, "Its run; null for job and dataset events."),
        Column("job_uuid", UUID, SAME, "Its job; null for dataset events.", entity="jobs"),
        Column("is_complete", BOOLEAN, SAME, "Makes the outputs of its run current.", nullable=False),
        Column("makes_job_version", BOOLEAN, SAME, "Makes a version of its job.", nullable=False),
        Column("location", TEXT, SAME, "Where the job's source code lies, by this event."),
        Column("lineage_event_type", varchar(64), SAME, "Type of the event; null for job and dataset events."),
        Column("run_facets_uuid", UUID, SAME, "The set of its run's facets, a row of `facet_sets`; null without any."),
        Column("job_facets_uuid", UUID, SAME, "The set of its job's facets, a row of `facet_sets`; null without any."),
        Column("job_version_uuid", UUID, DERIVED, "The version that it made."),
        Column(
            "is_purged",
            BOOLEAN,
            PLATFORM,
            "Whether retention has deleted its run or event, and only what others need of it is left.",
            nullable=False,
            default="false",
        ),
    ),
    primary_key=("event_order",),
    indexes=(
        Index(
            "event_ledger_run_index",
            "(run_uuid, event_order)",
            "Events of a run: its facets, its endings.",
            where="run_uuid IS NOT NULL",
        ),
        Index(
            "event_ledger_job_index",
            "(job_uuid, job_version_uuid, event_order)",
            "The versions of a job, each once, with their first and last events.",
            where="job_version_uuid IS NOT NULL",
        ),
        Index(
            "event_ledger_job_version_index",
            "(job_version_uuid, event_order)",
            "First and last event of a job version.",
            where="job_version_uuid IS NOT NULL",
        ),
        Index("event_ledger_purged_index", "(event_order)", "What purged runs have left.", where="is_purged"),
        Index(
            "event_ledger_job_event_index",
            "(job_version_uuid)",
            "Job events that made a version, for its facets: the events of runs, which are many, are not among them.",
            where="run_uuid IS NULL AND job_version_uuid IS NOT NULL",
        ),
    ),
    retention=(
        Leaves("leaving_events", key="event_order"),
        Leaves("old_job_events", kind="job_events", planned="event_key(event_order)", is_deleted=False),
        GoesWith("runs", statement="runs/event_ledger"),
        GoesWith("dataset_versions", statement="versions/event_ledger"),
        GoesWith("job_events", statement="job_events/event_ledger"),
        ChangesWith("runs", "runs/mark_events", clears=("facet_sets",)),
        ChangesWith("job_events", "job_events/mark_events", clears=("facet_sets",)),
        Keeps("jobs", ("job_uuid",)),
        Keeps("job_versions", ("job_version_uuid",)),
        Keeps("facet_sets", ("run_facets_uuid", "job_facets_uuid")),
    ),
)
