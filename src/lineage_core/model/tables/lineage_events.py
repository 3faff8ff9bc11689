"""lineage_events: every OpenLineage event as it arrived."""

from __future__ import annotations

from lineage_core.declare.vocabulary import (
    BIGINT,
    BOOLEAN,
    DEFAULT,
    INGESTED,
    INTEGER,
    JSONB,
    RECEIVED,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Partition,
    Table,
    TableStream,
    varchar,
)
from lineage_core.openlineage.json_limits import LONGEST_DOCUMENT

_BY_TIME = "RANGE (event_time)"

TABLE = Table(
    name="lineage_events",
    doc="Every OpenLineage event as it arrived, a partition for each month of event time.",
    columns=(
        Column("event_time", TIMESTAMPTZ, INGESTED, "When the producer says that it happened.", nullable=False),
        Column("event", JSONB, INGESTED, "The event itself.", nullable=False),
        Column("event_type", TEXT, RECEIVED, "START, COMPLETE and so on; empty or null where the event has none."),
        Column("job_name", TEXT, RECEIVED, "Job of the event, as the producer spells it."),
        Column("job_namespace", TEXT, RECEIVED, "Namespace of that job, as the producer spells it."),
        Column("producer", TEXT, RECEIVED, "Address of the code that made the event."),
        Column("run_uuid", UUID, RECEIVED, "Run of the event; null for events about a job or a dataset alone."),
        Column("created_at", TIMESTAMPTZ, DEFAULT, "When it arrived here.", default="now()"),
        Column(
            "_event_type",
            varchar(64),
            RECEIVED,
            "RUN_EVENT, JOB_EVENT or DATASET_EVENT.",
            default="'RUN_EVENT'",
        ),
        Column(
            "arrived_xid",
            BIGINT,
            RECEIVED,
            "Transaction that brought it; with a snapshot it says whether a run could see the event.",
            nullable=False,
        ),
        Column(
            "arrival_seq",
            BIGINT,
            RECEIVED,
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
        Column(
            "is_moved",
            BOOLEAN,
            DEFAULT,
            "It stood in the default partition, and was moved to the month that it belongs to.",
            nullable=False,
            default="false",
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
    partition_by="LIST (is_moved)",
    partitions=(
        Partition("lineage_events_arrived", "lineage_events", "FOR VALUES IN (false)", _BY_TIME),
        Partition("lineage_events_default", "lineage_events_arrived", "DEFAULT"),
        Partition("lineage_events_moved", "lineage_events", "FOR VALUES IN (true)", _BY_TIME),
        Partition(
            "lineage_events_moved_before_1970",
            "lineage_events_moved",
            "FOR VALUES FROM (MINVALUE) TO ('1970-01-01 00:00:00+00')",
        ),
        Partition(
            "lineage_events_moved_from_2100",
            "lineage_events_moved",
            "FOR VALUES FROM ('2100-01-01 00:00:00+00') TO (MAXVALUE)",
        ),
    ),
    checks=(
        f"event_bytes <= {LONGEST_DOCUMENT}",
        # The times that a document can say: no infinity, and no year that Python's calendar lacks.
        "event_time BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59.999999+00'",
    ),
    stream=TableStream(
        event_time=("event_time",),
        without=("event_time", "arrived_xid", "arrival_seq", "event_bytes", "is_moved"),
        has_key=False,
        is_log=True,
    ),
)
