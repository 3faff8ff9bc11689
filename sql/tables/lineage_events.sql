-- Rendered from tables/lineage_events.py by `lineage sql`: edit the declaration, not this file.
CREATE SEQUENCE lineage_events_arrival_seq;
CREATE TABLE lineage_events (
    event_time timestamptz NOT NULL,
    event jsonb NOT NULL,
    event_type text,
    job_name text,
    job_namespace text,
    producer text,
    run_uuid uuid,
    created_at timestamptz DEFAULT now(),
    _event_type varchar(64) DEFAULT 'RUN_EVENT',
    arrived_xid bigint NOT NULL,
    arrival_seq bigint NOT NULL,
    event_bytes integer GENERATED ALWAYS AS (octet_length(event::text)) STORED,
    is_ahead boolean GENERATED ALWAYS AS (coalesce(event_time - created_at > interval '1 day', false)) STORED,
    is_moved boolean NOT NULL DEFAULT false,
    CHECK (event_bytes <= 267386880),
    CHECK (event_time BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59.999999+00')
) PARTITION BY LIST (is_moved);
CREATE TABLE lineage_events_arrived PARTITION OF lineage_events FOR VALUES IN (false) PARTITION BY RANGE (event_time);
CREATE TABLE lineage_events_default PARTITION OF lineage_events_arrived DEFAULT;
CREATE TABLE lineage_events_moved PARTITION OF lineage_events FOR VALUES IN (true) PARTITION BY RANGE (event_time);
CREATE TABLE lineage_events_moved_before_1970 PARTITION OF lineage_events_moved FOR VALUES FROM (MINVALUE) TO ('1970-01-01 00:00:00+00');
CREATE TABLE lineage_events_moved_from_2100 PARTITION OF lineage_events_moved FOR VALUES FROM ('2100-01-01 00:00:00+00') TO (MAXVALUE);
ALTER SEQUENCE lineage_events_arrival_seq OWNED BY lineage_events.arrival_seq;
CREATE INDEX lineage_events_arrival_index ON lineage_events (arrived_xid, arrival_seq) INCLUDE (event_bytes);
CREATE INDEX lineage_events_event_time ON lineage_events (event_time DESC);
CREATE INDEX lineage_events_run_id_index ON lineage_events (run_uuid);
COMMENT ON TABLE lineage_events IS 'Every OpenLineage event as it arrived, a partition for each month of event time.';
COMMENT ON COLUMN lineage_events.event_time IS 'When the producer says that it happened.';
COMMENT ON COLUMN lineage_events.event IS 'The event itself.';
COMMENT ON COLUMN lineage_events.event_type IS 'START, COMPLETE and so on; empty or null where the event has none.';
COMMENT ON COLUMN lineage_events.job_name IS 'Job of the event, as the producer spells it.';
COMMENT ON COLUMN lineage_events.job_namespace IS 'Namespace of that job, as the producer spells it.';
COMMENT ON COLUMN lineage_events.producer IS 'Address of the code that made the event.';
COMMENT ON COLUMN lineage_events.run_uuid IS 'Run of the event; null for events about a job or a dataset alone.';
COMMENT ON COLUMN lineage_events.created_at IS 'When it arrived here.';
COMMENT ON COLUMN lineage_events._event_type IS 'RUN_EVENT, JOB_EVENT or DATASET_EVENT.';
COMMENT ON COLUMN lineage_events.arrived_xid IS 'Transaction that brought it; with a snapshot it says whether a run could see the event.';
COMMENT ON COLUMN lineage_events.arrival_seq IS 'Place among the events of the same transaction; a slice may end between any two.';
COMMENT ON COLUMN lineage_events.event_bytes IS 'Size of the event''s text, by which slices are cut.';
COMMENT ON COLUMN lineage_events.is_ahead IS 'Its time was more than a day ahead of its arrival, so it never is the newest.';
COMMENT ON COLUMN lineage_events.is_moved IS 'It stood in the default partition, and was moved to the month that it belongs to.';
COMMENT ON INDEX lineage_events_arrival_index IS 'A scheduled run: what has arrived since the watermark, with sizes.';
COMMENT ON INDEX lineage_events_event_time IS 'Events of an interval: a backfill run, the API''s list.';
COMMENT ON INDEX lineage_events_run_id_index IS 'All events of one run: facets read from the raw event.';
