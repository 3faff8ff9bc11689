-- Rendered from tables/dataset_names.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_names (
    uuid uuid NOT NULL,
    namespace_name varchar NOT NULL,
    name varchar NOT NULL,
    claimed_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    namespace_uuid uuid,
    source_uuid uuid,
    source_name varchar,
    updated_at timestamptz,
    description text,
    is_deleted boolean,
    first_claim bytea,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid)
);
CREATE INDEX dataset_names_claimed_by_index ON dataset_names (claimed_by) WHERE claimed_by <> uuid;
COMMENT ON TABLE dataset_names IS 'Every name of a dataset, whose it is, and what events said under it. datasets follows from it.';
COMMENT ON COLUMN dataset_names.uuid IS 'Follows from namespace and name.';
COMMENT ON COLUMN dataset_names.namespace_name IS 'The namespace, formatted.';
COMMENT ON COLUMN dataset_names.name IS 'The name.';
COMMENT ON COLUMN dataset_names.claimed_by IS 'The name in whose mention this one was first: itself, or the one that had it as a symlink.';
COMMENT ON COLUMN dataset_names.created_at IS 'Time of the first event that used it.';
COMMENT ON COLUMN dataset_names.namespace_uuid IS 'Its namespace; null if no event named the dataset so.';
COMMENT ON COLUMN dataset_names.source_uuid IS 'Where the dataset lies, by the first event that named it so.';
COMMENT ON COLUMN dataset_names.source_name IS 'Name of that source.';
COMMENT ON COLUMN dataset_names.updated_at IS 'Time of the last event that named the dataset so.';
COMMENT ON COLUMN dataset_names.description IS 'Documentation facet of that event; null if it had none.';
COMMENT ON COLUMN dataset_names.is_deleted IS 'Whether that event dropped it.';
COMMENT ON COLUMN dataset_names.first_claim IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_names.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_names.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_names_claimed_by_index IS 'Names that follow another when it turns out to be someone else''s.';
