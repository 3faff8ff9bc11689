-- Rendered from tables/sources.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE sources (
    uuid uuid NOT NULL,
    type varchar(64) NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    name varchar NOT NULL,
    connection_url varchar NOT NULL,
    description text,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT sources_name_key UNIQUE (name)
);
COMMENT ON TABLE sources IS 'Where datasets lie: the dataSource facets, and `default` for datasets without one.';
COMMENT ON COLUMN sources.uuid IS 'Follows from the name.';
COMMENT ON COLUMN sources.type IS 'Always POSTGRESQL, as Marquez has it.';
COMMENT ON COLUMN sources.created_at IS 'Time of the first event that named it.';
COMMENT ON COLUMN sources.updated_at IS 'Time of the last event that named it.';
COMMENT ON COLUMN sources.name IS 'Its name.';
COMMENT ON COLUMN sources.connection_url IS 'Its address; empty if no event gave one.';
COMMENT ON COLUMN sources.description IS 'In a person''s words.';
COMMENT ON COLUMN sources.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN sources.latest_event IS 'Order of the event that the newest came from.';
