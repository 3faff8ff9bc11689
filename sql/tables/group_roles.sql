-- Rendered from tables/group_roles.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE group_roles (
    purpose text NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (purpose)
);
COMMENT ON TABLE group_roles IS 'The group roles of this store. Roles are of the whole cluster, so two stores in it need names of their own.';
COMMENT ON COLUMN group_roles.purpose IS 'What it is for: ingest, jobs, operator or reader.';
COMMENT ON COLUMN group_roles.name IS 'The role.';
