-- Rendered from tables/unreadable_facets.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE unreadable_facets (
    event_order bytea NOT NULL,
    event_time timestamptz NOT NULL,
    run_uuid uuid,
    producer text NOT NULL,
    name varchar(255) NOT NULL,
    path text NOT NULL,
    reason text NOT NULL
);
CREATE INDEX unreadable_facets_event_time_index ON unreadable_facets (event_time);
COMMENT ON TABLE unreadable_facets IS 'Facets that were kept as they came, but of which no table could be filled: a row an event and facet.';
COMMENT ON COLUMN unreadable_facets.event_order IS 'Order of the event.';
COMMENT ON COLUMN unreadable_facets.event_time IS 'Time of the event.';
COMMENT ON COLUMN unreadable_facets.run_uuid IS 'The run; null for job events and dataset events.';
COMMENT ON COLUMN unreadable_facets.producer IS 'Producer of the event.';
COMMENT ON COLUMN unreadable_facets.name IS 'The facet''s key.';
COMMENT ON COLUMN unreadable_facets.path IS 'Where in the event the fault lies.';
COMMENT ON COLUMN unreadable_facets.reason IS 'What is wrong.';
COMMENT ON INDEX unreadable_facets_event_time_index IS 'The last ones; removal by age.';
