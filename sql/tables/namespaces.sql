-- Rendered from tables/namespaces.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE namespaces (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    name varchar NOT NULL,
    description text,
    current_owner_name varchar DEFAULT 'anonymous',
    is_hidden boolean DEFAULT false,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT namespaces_name_key UNIQUE (name)
);
COMMENT ON TABLE namespaces IS 'Every namespace that an event named.';
COMMENT ON COLUMN namespaces.uuid IS 'Follows from the name.';
COMMENT ON COLUMN namespaces.created_at IS 'Time of the first event that named it.';
COMMENT ON COLUMN namespaces.updated_at IS 'As created_at: later events change nothing.';
COMMENT ON COLUMN namespaces.name IS 'Its name; a job''s and a dataset''s is formatted.';
COMMENT ON COLUMN namespaces.description IS 'In a person''s words.';
COMMENT ON COLUMN namespaces.current_owner_name IS 'Who owns it, by `lineage namespace own`.';
COMMENT ON COLUMN namespaces.is_hidden IS 'Left out of lists.';
COMMENT ON COLUMN namespaces.first_event IS 'Order of the event that the earliest came from.';
