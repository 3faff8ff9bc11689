-- Rendered from tables/datasets.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE datasets (
    uuid uuid NOT NULL,
    type varchar(64) NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    namespace_uuid uuid,
    source_uuid uuid,
    name varchar NOT NULL,
    physical_name varchar NOT NULL,
    description text,
    current_version_uuid uuid,
    last_modified_at timestamp,
    namespace_name varchar,
    source_name varchar,
    is_deleted boolean DEFAULT false,
    is_hidden boolean DEFAULT false,
    name_uuid uuid,
    PRIMARY KEY (uuid),
    CONSTRAINT datasets_namespace_uuid_name_key UNIQUE (namespace_uuid, name),
    FOREIGN KEY (namespace_uuid) REFERENCES namespaces (uuid) ON DELETE CASCADE,
    FOREIGN KEY (source_uuid) REFERENCES sources (uuid) ON DELETE CASCADE,
    FOREIGN KEY (name_uuid) REFERENCES dataset_names (uuid) ON DELETE CASCADE
);
CREATE UNIQUE INDEX dataset_name_index ON datasets (name, namespace_name);
CREATE INDEX datasets_source_uuid_index ON datasets (source_uuid);
CREATE UNIQUE INDEX datasets_name_uuid_index ON datasets (name_uuid);
COMMENT ON TABLE datasets IS 'Every dataset that events named, however they called it; derived from dataset_names.';
COMMENT ON COLUMN datasets.uuid IS 'Follows from namespace and name.';
COMMENT ON COLUMN datasets.type IS 'Always DB_TABLE, as Marquez has it.';
COMMENT ON COLUMN datasets.created_at IS 'Time of the first event that named it.';
COMMENT ON COLUMN datasets.updated_at IS 'Time of the last event that named it.';
COMMENT ON COLUMN datasets.namespace_uuid IS 'Its namespace, formatted.';
COMMENT ON COLUMN datasets.source_uuid IS 'Where it lies, by the first event that named it.';
COMMENT ON COLUMN datasets.name IS 'Its own name: the one that no other dataset had before.';
COMMENT ON COLUMN datasets.physical_name IS 'Its name in the last event that named it.';
COMMENT ON COLUMN datasets.description IS 'Documentation facet of that event; null if it had none.';
COMMENT ON COLUMN datasets.current_version_uuid IS 'Version that readers now read.';
COMMENT ON COLUMN datasets.last_modified_at IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN datasets.namespace_name IS 'Name of its namespace, formatted.';
COMMENT ON COLUMN datasets.source_name IS 'Name of its source.';
COMMENT ON COLUMN datasets.is_deleted IS 'Whether the last event that named it dropped it.';
COMMENT ON COLUMN datasets.is_hidden IS 'Left out of lists.';
COMMENT ON COLUMN datasets.name_uuid IS 'Its own name, as a key.';
COMMENT ON INDEX dataset_name_index IS 'A dataset by name, as the API asks.';
COMMENT ON INDEX datasets_source_uuid_index IS 'Removal of a source.';
COMMENT ON INDEX datasets_name_uuid_index IS 'A dataset by the key of its own name.';
