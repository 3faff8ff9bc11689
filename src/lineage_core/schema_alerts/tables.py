"""The table of schema alerts."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import (
    BIGINT,
    BYTEA,
    DEFAULT,
    JSONB,
    OPERATOR,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    Column,
    Reference,
    Table,
    Unique,
)

DATASET_SCHEMA_ALERTS = Table(
    name="dataset_schema_alerts",
    doc=(
        "Schemas of datasets that broke a rule. One is raised with its verdict, and resolved if events that came late"
        " make the verdict another. It goes with the version."
    ),
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, identity=True),
        Column("dataset_uuid", UUID, PLATFORM, "The dataset.", nullable=False, reference=Reference("datasets")),
        Column("event_order", BYTEA, PLATFORM, "Order of the event, as of the verdict.", nullable=False),
        Column("version_uuid", UUID, PLATFORM, "The version that has the schema.", nullable=False),
        Column("changed_at", TIMESTAMPTZ, PLATFORM, "Time of the event.", nullable=False),
        Column("job_namespace", TEXT, PLATFORM, "Namespace of the job that wrote it; null if it was declared."),
        Column("job_name", TEXT, PLATFORM, "Name of that job."),
        Column("run_uuid", UUID, PLATFORM, "The run that wrote it."),
        Column("refusals", JSONB, PLATFORM, "Path, rule and reason of each, as of the verdict.", nullable=False),
        Column("raised_at", TIMESTAMPTZ, PLATFORM, "When it was raised last.", nullable=False, default="now()"),
        Column("resolved_at", TIMESTAMPTZ, PLATFORM, "When it was no longer true."),
        Column(
            "resolution",
            TEXT,
            PLATFORM,
            "What the verdict was then; `moved` if the version is no longer one of the dataset.",
        ),
        Column("acknowledged_at", TIMESTAMPTZ, OPERATOR, "When a person acknowledged it."),
        Column("acknowledged_by", TEXT, OPERATOR, "Who that was."),
        Column("reason", TEXT, OPERATOR, "Why it may stay so, in the words of that person."),
    ),
    primary_key=("id",),
    unique=(Unique(("dataset_uuid", "event_order"), "dataset_schema_alerts_dataset_uuid_event_order_key"),),
    retention=(
        GoesWith("dataset_versions", "version_uuid"),
        Keeps("datasets", ("dataset_uuid",)),
    ),
)
