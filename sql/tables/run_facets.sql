-- Rendered from tables/run_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE run_facets (
    created_at timestamptz NOT NULL,
    run_uuid uuid,
    lineage_event_time timestamptz NOT NULL,
    lineage_event_type varchar(64) NOT NULL,
    name varchar(255) NOT NULL,
    facet jsonb NOT NULL,
    event_order bytea,
    FOREIGN KEY (run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE
);
CREATE INDEX run_facets_run_uuid_idx ON run_facets (run_uuid);
CREATE UNIQUE INDEX run_facets_once_a_run_index ON run_facets (run_uuid, name) WHERE event_order IS NOT NULL;
COMMENT ON TABLE run_facets IS 'The facets of runs, a row an event; those that are kept once a run, a row of its first event.';
COMMENT ON COLUMN run_facets.created_at IS 'Time of the event.';
COMMENT ON COLUMN run_facets.run_uuid IS 'The run.';
COMMENT ON COLUMN run_facets.lineage_event_time IS 'Time of the event.';
COMMENT ON COLUMN run_facets.lineage_event_type IS 'Type of the event; empty if it has none.';
COMMENT ON COLUMN run_facets.name IS 'The facet''s key.';
COMMENT ON COLUMN run_facets.facet IS 'An object with that key and the facet as it came.';
COMMENT ON COLUMN run_facets.event_order IS 'Order of the event, for facets that are kept once a run; else null.';
COMMENT ON INDEX run_facets_run_uuid_idx IS 'Facets of a run.';
COMMENT ON INDEX run_facets_once_a_run_index IS 'The one row of a facet that is kept once a run.';
