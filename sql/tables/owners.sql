-- Rendered from tables/owners.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE owners (
    uuid uuid NOT NULL,
    created_at timestamp NOT NULL,
    name varchar NOT NULL,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT owners_name_key UNIQUE (name)
);
COMMENT ON TABLE owners IS 'People and teams that own datasets and jobs, as events say, or namespaces, as operators say.';
COMMENT ON COLUMN owners.uuid IS 'Follows from the name.';
COMMENT ON COLUMN owners.created_at IS 'Time of the first event that named the owner, in UTC; if none did, when a person did.';
COMMENT ON COLUMN owners.name IS 'Name of the person or team, of any length.';
COMMENT ON COLUMN owners.first_event IS 'Order of the event that the earliest came from.';
