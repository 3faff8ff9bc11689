"""runs: every run that an event named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lineage_core.declare.leaving import ChangesWith, Keeps, Leaves
from lineage_core.declare.vocabulary import (
    DERIVED,
    KEY,
    TIMESTAMP,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Earliest,
    Index,
    Newest,
    Reference,
    Row,
    Table,
    TableStream,
    unenforced,
    varchar,
)
from lineage_core.model.meaning.job_descriptions import (
    described_run,
    job_name,
    location,
    mentioned_job,
    parent_of,
)
from lineage_core.model.tables.run_states import state_uuid
from lineage_core.openlineage.events import Event, RunMention
from lineage_core.openlineage.identity import parent_run_uuid

FIRST = Earliest("first_event")
LATEST = Newest("latest_event")
NOMINAL = Earliest("nominal_event")
STATE = Newest("state_event")
START = Earliest("start_event")
END = Newest("end_event")
PARENT = Earliest("parent_event")


def rows(event: Event) -> Iterator[Row]:
    name = job_name(event)
    if event.run is None or event.job is None or name is None:
        return
    yield {
        "uuid": event.run.uuid,
        "created_at": event.time,
        "updated_at": event.time,
        "run_args_uuid": described_run(event.run).arguments.uuid,
        "external_id": event.run.id,
        "namespace_name": event.job.formatted,
        "job_name": name.full,
        "location": location(event),
        "job_uuid": mentioned_job(event),
        **described_run(event.run).nominal_times,
        **_parent(event.run),
        **_state(event),
    }


def _parent(run: RunMention) -> dict[str, Any]:
    named = parent_of(run)
    if named is None:
        return {}
    return {"parent_run_uuid": parent_run_uuid(named.job.namespace, named.job.name, named.run.run_id)}


def _state(event: Event) -> dict[str, Any]:
    """An ending outweighs whatever else events say of the run, early or late; of several endings the last counts."""
    if event.state is None:
        return {}
    row: Row = {
        "current_run_state": event.state.value,
        "transitioned_at": event.time,
        STATE.order: bytes((event.ending is not None,)) + event.newest_order,
    }
    if event.ending is None:
        return row | {"started_at": event.time, "start_run_state_uuid": state_uuid(event)}
    return row | {"ended_at": event.time, "end_run_state_uuid": state_uuid(event)}


TABLE = Table(
    name="runs",
    doc="Every run that an event named. One without first_event is known from its children only.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "The producer's, or derived from its text.", nullable=False),
        Column("created_at", TIMESTAMPTZ, FIRST, "Time of its first event.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of its last event.", nullable=False),
        Column(
            "job_version_uuid",
            UUID,
            DERIVED,
            "Version of its job, by the last event that made one.",
            reference=Reference("job_versions"),
        ),
        Column(
            "run_args_uuid",
            UUID,
            FIRST,
            "Arguments in its first event.",
            reference=Reference("run_args"),
            entity="run_args",
        ),
        Column("nominal_start_time", TIMESTAMP, NOMINAL, "Start of the interval that it works for, in UTC."),
        Column("nominal_end_time", TIMESTAMP, NOMINAL, "End of that interval, in UTC."),
        Column("current_run_state", varchar(64), STATE, "RUNNING, COMPLETED, FAILED or ABORTED."),
        Column(
            "start_run_state_uuid",
            UUID,
            START,
            "State that started it.",
            reference=unenforced("run_states", late=True),
        ),
        Column(
            "end_run_state_uuid",
            UUID,
            END,
            "State that ended it.",
            reference=unenforced("run_states", late=True),
        ),
        Column("external_id", VARCHAR, LATEST, "Its id as its last event spells it."),
        Column("namespace_name", VARCHAR, FIRST, "Namespace of its job."),
        Column("job_name", VARCHAR, FIRST, "Name of its job."),
        Column("location", VARCHAR, LATEST, "Where the source code lay, by its last event."),
        Column("transitioned_at", TIMESTAMP, STATE, "When it came to its state, in UTC."),
        Column("started_at", TIMESTAMP, START, "Time of the first event that had it running, in UTC."),
        Column("ended_at", TIMESTAMP, END, "Time of the last event that ended it, in UTC."),
        Column("job_context_uuid", UUID, DERIVED, "Never set by OpenLineage events."),
        Column(
            "parent_run_uuid",
            UUID,
            PARENT,
            "The run that started it, by the first event that names one.",
            reference=Reference("runs", late=True),
        ),
        Column("job_uuid", UUID, FIRST, "Its job, by its first event.", entity="jobs"),
    ),
    primary_key=("uuid",),
    indexes=(
        Index(
            "runs_created_at_by_name_index",
            "(job_name, namespace_name, created_at DESC)",
            "Runs of a job, newest first, as the API lists them.",
        ),
        Index("runs_created_at_index", "(created_at DESC)", "Newest runs of all jobs."),
        Index("runs_job_uuid", "(job_uuid, transitioned_at DESC)", "Last runs of a job by its id."),
        Index("runs_job_version_uuid_index", "(job_version_uuid)", "Runs of a job version; removal of it."),
        Index(
            "runs_parent_run_uuid_index",
            "(parent_run_uuid)",
            "Children of a run; removal of a run.",
            where="parent_run_uuid IS NOT NULL",
        ),
        Index(
            "runs_open_index",
            "(created_at)",
            "Runs that have not ended, as retention keeps the newest event of each.",
            where="end_run_state_uuid IS NULL",
        ),
        Index("runs_run_args_uuid_index", "(run_args_uuid)", "Removal of arguments that no run has."),
    ),
    stream=TableStream(event_time=("transitioned_at", "created_at")),
    retention=(
        Leaves("leaving_runs", planned="uuid", judged="old_runs"),
        ChangesWith("runs", "runs/unname_parents", clears=("runs",)),
        Keeps("run_states", ("start_run_state_uuid", "end_run_state_uuid")),
        Keeps("jobs", ("job_uuid",)),
        Keeps("job_versions", ("job_version_uuid",)),
        Keeps("run_args", ("run_args_uuid",)),
    ),
)
