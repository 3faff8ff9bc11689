"""lineage_events: every OpenLineage event as it arrived."""

from __future__ import annotations

from lineage_core.relation import (
    BIGINT,
    BOOLEAN,
    DEFAULT,
    INGESTED,
    INTEGER,
    JSONB,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Table,
    varchar,
)

TABLE = Table(
    name="lineage_events",
    doc="Every OpenLineage event as it arrived, a partition for each month of event time.",
    columns=(
        Column("event_time", TIMESTAMPTZ, INGESTED, "When the producer says that it happened.", nullable=False),
        Column("event", JSONB, INGESTED, "The event itself.", nullable=False),
        Column("event_type", TEXT, INGESTED, "START, COMPLETE and so on; empty or null where the event has none."),
        Column("job_name", TEXT, INGESTED, "Job of the event, as the producer spells it."),
        Column("job_namespace", TEXT, INGESTED, "Namespace of that job, as the producer spells it."),
        Column("producer", TEXT, INGESTED, "Address of the code that made the event."),
        Column("run_uuid", UUID, INGESTED, "Run of the event; null for events about a job or a dataset alone."),
        Column("created_at", TIMESTAMPTZ, DEFAULT, "When it arrived here.", default="now()"),
        Column(
            "_event_type",
            varchar(64),
            INGESTED,
            "RUN_EVENT, JOB_EVENT or DATASET_EVENT.",
            default="'RUN_EVENT'",
        ),
        Column(
            "arrived_xid",
            BIGINT,
            DEFAULT,
            "Transaction that brought it; with a snapshot it says whether a run could see the event.",
            nullable=False,
            default="(pg_current_xact_id()::text)::bigint",
        ),
        Column(
            "arrival_seq",
            BIGINT,
            DEFAULT,
            "Place among the events of the same transaction; a slice may end between any two.",
            nullable=False,
            sequence="lineage_events_arrival_seq",
        ),
        Column(
            "event_bytes",
            INTEGER,
            DEFAULT,
            "Size of the event's text, by which slices are cut.",
            generated="octet_length(event::text)",
        ),
        Column(
            "is_ahead",
            BOOLEAN,
            DEFAULT,
            "Its time was more than a day ahead of its arrival, so it never is the newest.",
            generated="coalesce(event_time - created_at > interval '1 day', false)",
        ),
    ),
    indexes=(
        Index(
            "lineage_events_arrival_index",
            "(arrived_xid, arrival_seq)",
            "A scheduled run: what has arrived since the watermark, with sizes.",
            include="event_bytes",
        ),
        Index(
            "lineage_events_event_time", "(event_time DESC)", "Events of an interval: a backfill run, the API's list."
        ),
        Index("lineage_events_run_id_index", "(run_uuid)", "All events of one run: facets read from the raw event."),
    ),
    partition_by="RANGE (event_time)",
)
