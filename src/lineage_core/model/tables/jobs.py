"""jobs: every job that an event named."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from lineage_core.declare.leaving import ChangesWith, Leaves
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    DERIVED,
    JSONB,
    KEY,
    OPERATOR,
    SAME,
    TEXT,
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
    Type,
    Unique,
    Wire,
    varchar,
)
from lineage_core.model.meaning.job_descriptions import (
    description,
    is_streaming,
    job_name,
    location,
    mentioned_job,
    parent_of,
)
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.identity import namespace_uuid

FIRST = Earliest("first_event")
LATEST = Newest("latest_event")
NAMED = Earliest("parent_event")

WITH_PARENT, WITHOUT_PARENT = b"\x00", b"\x01"
"""The byte before an event's order in `parent_event`: the first event with a parent comes before all without one."""


def rows(event: Event) -> Iterator[Row]:
    name = job_name(event)
    if event.job is None or name is None:
        return
    yield {
        "uuid": mentioned_job(event),
        "type": "STREAM" if is_streaming(event) else "BATCH",
        "created_at": event.time,
        "updated_at": event.time,
        "namespace_uuid": namespace_uuid(event.job.formatted),
        "simple_name": name.simple,
        "description": description(event),
        "namespace_name": event.job.formatted,
        "current_location": location(event),
        "current_inputs": _inputs(event),
        "parent_job_uuid_string": "",
        "name": name.full,
        "current_run_uuid": event.run.uuid if event.run else None,
        NAMED.order: (WITHOUT_PARENT if parent_of(event.run) is None else WITH_PARENT) + event.order,
    }


def _inputs(event: Event) -> bytes:
    """Marquez takes a job event's inputs for none."""
    read = {(dataset.namespace, dataset.name) for dataset in event.inputs} if event.run else set()
    return msgspec.json.encode([{"name": name, "namespace": namespace} for namespace, name in sorted(read)])


TABLE = Table(
    name="jobs",
    doc="Every job that an event named. One without latest_event is known from its children only.",
    rows=rows,
    marquez_rights="UPDATE (is_hidden)",
    columns=(
        Column("uuid", UUID, KEY, "Follows from namespace and name.", nullable=False, entity="jobs"),
        Column("type", varchar(64), LATEST, "BATCH or STREAM, by its last event.", nullable=False),
        Column("created_at", TIMESTAMPTZ, FIRST, "Time of its first event.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of its last event.", nullable=False),
        Column(
            "namespace_uuid",
            UUID,
            SAME,
            "Its namespace, formatted.",
            reference=Reference("namespaces"),
            entity="namespaces",
        ),
        Column(
            "simple_name",
            VARCHAR,
            NAMED,
            "Its name without its parent's, by the first event that names one.",
            nullable=False,
        ),
        Column("description", TEXT, LATEST, "Documentation facet of its last event; null if that had none."),
        Column("current_version_uuid", UUID, DERIVED, "Version of the last event that made one."),
        Column("namespace_name", VARCHAR, SAME, "Name of its namespace, formatted."),
        Column("current_job_context_uuid", UUID, DERIVED, "Never set by OpenLineage events."),
        Column("current_location", VARCHAR, LATEST, "Where its source code lies, by its last event."),
        Column("current_inputs", JSONB, LATEST, "Datasets that its last event read."),
        Column(
            "symlink_target_uuid",
            UUID,
            OPERATOR,
            "The job that took its place.",
            reference=Reference("jobs"),
        ),
        Column(
            "parent_job_uuid",
            UUID,
            DERIVED,
            "The job that starts it, by the first event that names one.",
            reference=Reference("jobs"),
        ),
        Column(
            "parent_job_uuid_string",
            Type("character(36)", Wire.TEXT),
            SAME,
            "Blank, as Marquez leaves it.",
            default="''",
        ),
        Column("is_hidden", BOOLEAN, OPERATOR, "Left out of lists.", default="false"),
        Column("name", VARCHAR, SAME, "Its full name.", nullable=False),
        Column("aliases", Type("varchar[]"), OPERATOR, "Earlier names of it."),
        Column("current_run_uuid", UUID, LATEST, "Run of its last event; null after a job event."),
    ),
    fillfactor=50,
    primary_key=("uuid",),
    unique=(Unique(("namespace_uuid", "name"), "unique_jobs_namespace_uuid_name_parent"),),
    indexes=(
        Index("jobs_name_index", "(name, namespace_name)", "A job by name, as the API asks."),
        Index(
            "jobs_parent_job_uuid_index",
            "(parent_job_uuid)",
            "Children of a job; removal of a job.",
            where="parent_job_uuid IS NOT NULL",
        ),
        Index(
            "jobs_symlink_target_uuid_index",
            "(symlink_target_uuid)",
            "Jobs that another took the place of; removal of a job.",
            where="symlink_target_uuid IS NOT NULL",
        ),
    ),
    stream=TableStream(event_time=("created_at",)),
    retention=(
        Leaves("leaving_jobs", planned="uuid", judged="old_jobs"),
        Leaves("naming_jobs", kind="naming_jobs", is_deleted=False),
        ChangesWith("naming_jobs", "references/unname_jobs", clears=("jobs", "job_versions", "runs")),
    ),
)
