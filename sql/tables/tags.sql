-- Rendered from tables/tags.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE tags (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    name varchar NOT NULL,
    description text,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT tags_name_key UNIQUE (name)
);
COMMENT ON TABLE tags IS 'Words that events, by the tags facet, and people put on datasets, columns and jobs.';
COMMENT ON COLUMN tags.uuid IS 'Follows from the name, if an event named it first.';
COMMENT ON COLUMN tags.created_at IS 'Time of the first event that named it; if none did, when a person made it.';
COMMENT ON COLUMN tags.updated_at IS 'Time of the last event that named it, or of a person''s change after it.';
COMMENT ON COLUMN tags.name IS '`key:value` of the facet; the key alone if the value is empty or true.';
COMMENT ON COLUMN tags.description IS 'What it means.';
COMMENT ON COLUMN tags.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN tags.latest_event IS 'Order of the event that the newest came from.';
