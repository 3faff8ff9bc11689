-- Rendered from tables/identity_map.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE identity_map (
    entity text NOT NULL,
    key_uuid uuid NOT NULL,
    uuid uuid NOT NULL,
    PRIMARY KEY (entity, key_uuid)
);
CREATE INDEX identity_map_uuid_index ON identity_map (entity, uuid);
COMMENT ON TABLE identity_map IS 'The uuid in use where it is not the one that the key derives: aliases, renamed jobs, an adopted database.';
COMMENT ON COLUMN identity_map.entity IS 'Table whose rows are meant.';
COMMENT ON COLUMN identity_map.key_uuid IS 'Uuid that the natural key derives.';
COMMENT ON COLUMN identity_map.uuid IS 'Uuid in use.';
COMMENT ON INDEX identity_map_uuid_index IS 'All keys of a row.';
