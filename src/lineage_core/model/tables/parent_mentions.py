"""parent_mentions: each event that names the parent of its run."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from lineage_core.declare.leaving import ChangesWith, GoesWith, Leaves
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    BYTEA,
    DERIVED,
    INTEGER,
    KEY,
    PLATFORM,
    SAME,
    TEXT,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Row,
    Table,
    varchar,
)
from lineage_core.model.meaning.job_descriptions import (
    described_run,
    is_streaming,
    location,
    mentioned_job,
    parent_job_name,
    parent_of,
)
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.identity import conflicting_run_uuid, job_uuid, key_uuid, parent_run_uuid


class StateMention(Enum):
    """What an event says of its run's state, and whether it lay ahead of its receipt; the values stand in `says`."""

    NOTHING = 0
    RUNNING = 1
    ENDING = 2
    NOTHING_AHEAD = 3
    RUNNING_AHEAD = 4
    ENDING_AHEAD = 5

    @property
    def is_running(self) -> bool:
        return self in (StateMention.RUNNING, StateMention.RUNNING_AHEAD)

    @property
    def is_ending(self) -> bool:
        return self in (StateMention.ENDING, StateMention.ENDING_AHEAD)

    @property
    def is_ahead(self) -> bool:
        return self in (StateMention.NOTHING_AHEAD, StateMention.RUNNING_AHEAD, StateMention.ENDING_AHEAD)


def rows(event: Event) -> Iterator[Row]:
    named = parent_of(event.run)
    if event.run is None or event.job is None or named is None:
        return
    name = parent_job_name(event.job, named)
    run = parent_run_uuid(named.job.namespace, named.job.name, named.run.run_id)
    yield {
        "parent_run_uuid": run,
        "event_order": event.order,
        "event_time": event.time,
        "run_uuid": event.run.uuid,
        "job_uuid": mentioned_job(event),
        "named_job_uuid": job_uuid(formatted_namespace(named.job.namespace), name),
        "local_job_uuid": job_uuid(event.job.formatted, name),
        "conflicting_run_uuid": conflicting_run_uuid(named.job.namespace, name, run),
        "parent_job_name": name,
        "external_id": named.run.run_id,
        "is_streaming": is_streaming(event),
        "location": location(event),
        "says": _says(event).value,
        "state": event.state.value if event.state else None,
        "state_uuid": key_uuid("run_states", event.digest.hex(), "parent") if event.state else None,
        **{"nominal_start_time": None, "nominal_end_time": None, **described_run(event.run).nominal_times},
    }


def _says(event: Event) -> StateMention:
    if event.ending:
        return StateMention.ENDING_AHEAD if event.is_ahead else StateMention.ENDING
    if event.state:
        return StateMention.RUNNING_AHEAD if event.is_ahead else StateMention.RUNNING
    return StateMention.NOTHING_AHEAD if event.is_ahead else StateMention.NOTHING


TABLE = Table(
    name="parent_mentions",
    doc="Each event that names the parent of its run, with what a parent that does not report is made of.",
    rows=rows,
    append=True,
    by_hand=True,
    columns=(
        Column("parent_run_uuid", UUID, KEY, "The run that it names.", nullable=False),
        Column("event_order", BYTEA, KEY, "Order of the event, where the earliest wins.", nullable=False),
        Column("event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("run_uuid", UUID, SAME, "Run of the event, the child.", nullable=False),
        Column("job_uuid", UUID, SAME, "Job of the event.", nullable=False, entity="jobs"),
        Column("named_job_uuid", UUID, SAME, "Job of the parent, as the facet says it.", nullable=False, entity="jobs"),
        Column("local_job_uuid", UUID, SAME, "That name in the child's namespace.", nullable=False, entity="jobs"),
        Column("conflicting_run_uuid", UUID, SAME, "Stands for a run that is another job's.", nullable=False),
        Column("parent_job_name", TEXT, SAME, "Name of the parent's job.", nullable=False),
        Column("external_id", TEXT, SAME, "Id of the parent run as spelled.", nullable=False),
        Column("is_streaming", BOOLEAN, SAME, "Whether the child's job streams.", nullable=False),
        Column("location", TEXT, SAME, "Where the source code of the child's job lies."),
        Column(
            "says",
            INTEGER,
            SAME,
            "0 nothing of the run's state, 1 that it runs, 2 that it has ended; 3 more if the event is ahead.",
            nullable=False,
        ),
        Column("state", varchar(64), SAME, "State that the event brings its run to."),
        Column("state_uuid", UUID, SAME, "That state, when the parent takes it."),
        Column("nominal_start_time", TIMESTAMP, SAME, "Start of the child's interval, in UTC."),
        Column("nominal_end_time", TIMESTAMP, SAME, "End of that interval, in UTC."),
        Column("parent_job_uuid", UUID, DERIVED, "Job that starts the child's job, by this event."),
        Column("made_run_uuid", UUID, DERIVED, "Run that does not report itself and that this event describes."),
        Column(
            "is_purged",
            BOOLEAN,
            PLATFORM,
            "Whether retention has deleted its run or event, and only what others need of it is left.",
            nullable=False,
            default="false",
        ),
    ),
    primary_key=("parent_run_uuid", "event_order"),
    indexes=(
        Index(
            "parent_mentions_made_run_index",
            "(made_run_uuid, says, event_order)",
            "First and last event that describes a run that does not report itself.",
            where="made_run_uuid IS NOT NULL",
        ),
        Index(
            "parent_mentions_local_job_index",
            "(local_job_uuid, event_order)",
            "First and last event that describes a job that does not report itself.",
            where="made_run_uuid IS NOT NULL",
        ),
    ),
    retention=(
        Leaves("leaving_parents", statement="parents/parent_mentions"),
        GoesWith("runs", statement="runs/parent_mentions"),
        ChangesWith("runs", "runs/mark_parents"),
    ),
)
