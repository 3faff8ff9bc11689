-- Rendered from tables/dataset_symlinks.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_symlinks (
    dataset_uuid uuid,
    name varchar NOT NULL,
    namespace_uuid uuid NOT NULL,
    type varchar(64),
    is_primary boolean DEFAULT false,
    created_at timestamp NOT NULL,
    updated_at timestamp NOT NULL,
    name_uuid uuid,
    first_event bytea,
    PRIMARY KEY (namespace_uuid, name),
    FOREIGN KEY (namespace_uuid) REFERENCES namespaces (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_symlinks_dataset_uuid ON dataset_symlinks (dataset_uuid);
COMMENT ON TABLE dataset_symlinks IS 'Every name under which a dataset is known, its own among them.';
COMMENT ON COLUMN dataset_symlinks.dataset_uuid IS 'The dataset that had this name first.';
COMMENT ON COLUMN dataset_symlinks.name IS 'The name.';
COMMENT ON COLUMN dataset_symlinks.namespace_uuid IS 'Namespace of the name, as spelled.';
COMMENT ON COLUMN dataset_symlinks.type IS 'What kind of name it is, such as TABLE or LOCATION.';
COMMENT ON COLUMN dataset_symlinks.is_primary IS 'Whether it is the dataset''s own name.';
COMMENT ON COLUMN dataset_symlinks.created_at IS 'Time of the first event that used the name, in UTC.';
COMMENT ON COLUMN dataset_symlinks.updated_at IS 'As created_at: later events change nothing.';
COMMENT ON COLUMN dataset_symlinks.name_uuid IS 'The name, formatted, as a key.';
COMMENT ON COLUMN dataset_symlinks.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON INDEX dataset_symlinks_dataset_uuid IS 'All names of a dataset.';
