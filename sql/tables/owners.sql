-- Rendered from tables/owners.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE owners (
    uuid uuid NOT NULL,
    created_at timestamp NOT NULL,
    name varchar NOT NULL,
    PRIMARY KEY (uuid),
    CONSTRAINT owners_name_key UNIQUE (name)
);
COMMENT ON TABLE owners IS 'People and teams that own datasets and jobs, as events say, or namespaces, as operators say.';
COMMENT ON COLUMN owners.uuid IS 'Follows from the name.';
COMMENT ON COLUMN owners.created_at IS 'When the owner was first named, in UTC.';
COMMENT ON COLUMN owners.name IS 'Name of the person or team, of any length.';
