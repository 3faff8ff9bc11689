"""dataset_mentions: each time that an event read, wrote or declared a dataset."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import ChangesWith, GoesWith, Keeps, Leaves
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    BYTEA,
    DERIVED,
    INTEGER,
    KEY,
    PLATFORM,
    SAME,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Index,
    Row,
    Table,
    unenforced,
    varchar,
)
from lineage_core.model.meaning.column_lineages import described_lineages
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.meaning.facet_rows import mentioned_facets, set_uuid
from lineage_core.model.meaning.job_descriptions import is_streaming
from lineage_core.openlineage.events import Event, Kind, Role


def rows(event: Event) -> Iterator[Row]:
    """What an event names twice in one role it mentions twice."""
    lineages = described_lineages(event)
    for dataset in event.datasets:
        lineage = lineages.get(dataset.place)
        yield {
            "role": dataset.role.value,
            "event_order": event.order,
            "place": dataset.place,
            "name_uuid": described(dataset).dataset_uuid,
            "event_time": event.time,
            "run_uuid": event.run.uuid if event.run else None,
            "own_version_uuid": described(dataset).version(event),
            "namespace_name": dataset.namespace,
            "dataset_name": dataset.name,
            "lifecycle_state": described(dataset).lifecycle_state,
            "schema_uuid": described(dataset).schema.uuid,
            "lineage_uuid": lineage.uuid if lineage else None,
            "lineage_event_type": event.event_type if event.run else None,
            "facets_uuid": set_uuid(mentioned_facets(dataset).own),
            "io_facets_uuid": set_uuid(mentioned_facets(dataset).of_use),
            "is_current_at_once": dataset.role is Role.OUTPUT and _is_current_at_once(event),
        }


def _is_current_at_once(event: Event) -> bool:
    """Other outputs become current when their run completes."""
    return event.kind is Kind.DATASET or (event.kind is Kind.RUN and is_streaming(event))


TABLE = Table(
    name="dataset_mentions",
    doc="Each time that an event read, wrote or declared a dataset. Versions and what was current when follow from it.",
    rows=rows,
    append=True,
    by_hand=True,
    columns=(
        Column("dataset_uuid", UUID, DERIVED, "The dataset.", nullable=False, reference=unenforced("datasets")),
        Column("role", INTEGER, KEY, "1 input, 2 output or declared.", nullable=False),
        Column("event_order", BYTEA, KEY, "Order of the event.", nullable=False),
        Column("place", INTEGER, KEY, "Its place among the event's datasets, from 0, inputs first.", nullable=False),
        Column("name_uuid", UUID, SAME, "Key of the name that the event used.", nullable=False),
        Column("event_time", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("run_uuid", UUID, SAME, "Run of the event; null for job and dataset events."),
        Column(
            "version_uuid", UUID, DERIVED, "The version that an output made, or that an input read.", nullable=False
        ),
        Column(
            "own_version_uuid",
            UUID,
            SAME,
            "The version that an output made, or that an input makes if it is the first to know the dataset.",
            nullable=False,
            entity="dataset_versions",
        ),
        Column("namespace_name", VARCHAR, SAME, "Namespace of the name, as spelled.", nullable=False),
        Column("dataset_name", VARCHAR, SAME, "The name.", nullable=False),
        Column("lifecycle_state", varchar(63), SAME, "Lifecycle facet; empty without one.", nullable=False),
        Column("schema_uuid", UUID, SAME, "The schema that the event described.", nullable=False),
        Column("lineage_uuid", UUID, SAME, "Where the columns of an output come from; null if the event does not say."),
        Column("lineage_event_type", varchar(64), SAME, "Type of the event; null for job and dataset events."),
        Column("facets_uuid", UUID, SAME, "The set of its facets, a row of `facet_sets`; null without any."),
        Column("io_facets_uuid", UUID, SAME, "The set of its input or output facets; null without any."),
        Column("is_current_at_once", BOOLEAN, SAME, "Current without a COMPLETE.", nullable=False),
        Column(
            "is_purged",
            BOOLEAN,
            PLATFORM,
            "Whether retention has deleted its run or event, and only what others need of it is left.",
            nullable=False,
            default="false",
        ),
    ),
    primary_key=("dataset_uuid", "role", "event_order", "place"),
    indexes=(
        Index(
            "dataset_mentions_run_index",
            "(run_uuid, role)",
            "What a run read and wrote.",
            where="run_uuid IS NOT NULL",
        ),
        Index(
            "dataset_mentions_version_index",
            "(version_uuid, schema_uuid)",
            "The schemas under which a version was written or read, each once; its mentions.",
        ),
        Index(
            "dataset_mentions_job_event_index",
            "(event_order)",
            "What a job event named.",
            where="run_uuid IS NULL",
        ),
        Index("dataset_mentions_purged_index", "(event_order)", "What purged runs have left.", where="is_purged"),
    ),
    retention=(
        Leaves("leaving_mentions", statement="mentions/dataset_mentions"),
        GoesWith("runs", statement="runs/dataset_mentions"),
        GoesWith("dataset_versions", statement="versions/dataset_mentions"),
        GoesWith("job_events", statement="job_events/dataset_mentions"),
        ChangesWith("runs", "runs/mark_mentions"),
        ChangesWith("job_events", "job_events/mark_mentions"),
        Keeps("datasets", ("dataset_uuid",)),
        Keeps("dataset_schemas", ("schema_uuid",)),
        Keeps("dataset_column_lineages", ("lineage_uuid",)),
        Keeps("facet_sets", ("facets_uuid", "io_facets_uuid")),
    ),
)
