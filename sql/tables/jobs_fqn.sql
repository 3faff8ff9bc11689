-- Rendered from tables/jobs_fqn.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE jobs_fqn (
    uuid uuid NOT NULL,
    namespace_uuid uuid NOT NULL,
    namespace_name varchar NOT NULL,
    parent_job_name varchar,
    aliases varchar[],
    job_fqn varchar NOT NULL,
    PRIMARY KEY (uuid)
);
COMMENT ON TABLE jobs_fqn IS 'Full names of jobs. Marquez keeps the table, and has not used it since its migration 61.';
COMMENT ON COLUMN jobs_fqn.uuid IS 'The job.';
COMMENT ON COLUMN jobs_fqn.namespace_uuid IS 'Its namespace.';
COMMENT ON COLUMN jobs_fqn.namespace_name IS 'Name of its namespace.';
COMMENT ON COLUMN jobs_fqn.parent_job_name IS 'Name of the job it is part of.';
COMMENT ON COLUMN jobs_fqn.aliases IS 'Other full names that mean the same job.';
COMMENT ON COLUMN jobs_fqn.job_fqn IS 'Its full name.';
