"""dataset_mentions: each time that an event read, wrote or declared a dataset."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.column_lineages import described_lineages
from lineage_core.dataset_descriptions import described_schema, mentioned_dataset, mentioned_version
from lineage_core.events import DatasetMention, Event, Kind, Role
from lineage_core.job_descriptions import is_streaming
from lineage_core.relation import (
    BIGINT,
    BOOLEAN,
    BYTEA,
    INTEGER,
    KEY,
    SAME,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Reference,
    Row,
    Table,
)


def rows(event: Event) -> Iterator[Row]:
    """A dataset that an event names twice in one role is one mention: the last, as later ones overwrite in Marquez."""
    last = {(dataset.role, mentioned_dataset(dataset)): dataset for dataset in event.datasets}
    lineages = described_lineages(event)
    for (role, named), dataset in last.items():
        lineage = lineages.get(named) if role is Role.OUTPUT else None
        version = mentioned_version(event, dataset)
        yield {
            "dataset_uuid": named,
            "role": role.value,
            "event_order": event.order,
            "event_time": event.time,
            "run_uuid": event.run.uuid if event.run else None,
            "origin_uuid": event.run.uuid if event.run else version,
            "version_uuid": version,
            "schema_uuid": described_schema(dataset).uuid,
            "lineage_uuid": lineage.uuid if lineage else None,
            "mention_id": mention_id(event, dataset),
            "is_current_at_once": role is Role.OUTPUT and _is_current_at_once(event),
        }


def _is_current_at_once(event: Event) -> bool:
    """Other outputs become current when their run completes."""
    return event.kind is Kind.DATASET or (event.kind is Kind.RUN and is_streaming(event))


def mention_id(event: Event, dataset: DatasetMention) -> int:
    """A number that facets of this mention share, from the content of the event alone."""
    mixed = int.from_bytes(event.digest[:8]) ^ int.from_bytes(mentioned_dataset(dataset)[:8]) ^ dataset.role.value
    return mixed - (1 << 63)


TABLE = Table(
    name="dataset_mentions",
    doc="Each time that an event read, wrote or declared a dataset. Which version was current when follows from it.",
    rows=rows,
    append=True,
    by_hand=True,
    columns=(
        Column(
            "dataset_uuid",
            UUID,
            KEY,
            "The dataset.",
            nullable=False,
            reference=Reference("datasets"),
            entity="datasets",
        ),
        Column("role", INTEGER, KEY, "1 input, 2 output or declared.", nullable=False),
        Column("event_order", BYTEA, KEY, "Order of the event.", nullable=False),
        Column("event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("run_uuid", UUID, SAME, "Run of the event; null for job and dataset events."),
        Column(
            "origin_uuid",
            UUID,
            SAME,
            "What a version's mentions have in common: the run, else the version.",
            nullable=False,
        ),
        Column(
            "version_uuid",
            UUID,
            SAME,
            "The version that an output made, or that an input read. Staged, it is the one that the mention may make.",
            nullable=False,
            entity="dataset_versions",
        ),
        Column("schema_uuid", UUID, SAME, "The schema that the event described.", nullable=False),
        Column("lineage_uuid", UUID, SAME, "Where the columns of an output come from; null if the event does not say."),
        Column("mention_id", BIGINT, SAME, "What facets of this mention bear, too.", nullable=False),
        Column("is_current_at_once", BOOLEAN, SAME, "Current without a COMPLETE.", nullable=False),
    ),
    primary_key=("dataset_uuid", "role", "event_order"),
    indexes=(
        Index(
            "dataset_mentions_origin_index",
            "(origin_uuid, role, dataset_uuid, event_order)",
            "What a run read and wrote, up to one of its events; the first mention of a version.",
        ),
        Index(
            "dataset_mentions_job_event_index",
            "(event_order)",
            "What a job event named.",
            where="run_uuid IS NULL",
        ),
    ),
)
