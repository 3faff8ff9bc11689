-- Rendered from tables/job_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE job_ownerships (
    job_uuid uuid NOT NULL,
    owner_uuid uuid NOT NULL,
    type varchar NOT NULL,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (job_uuid, owner_uuid, type),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (owner_uuid) REFERENCES owners (uuid) ON DELETE CASCADE
);
CREATE INDEX job_ownerships_owner_uuid_index ON job_ownerships (owner_uuid);
COMMENT ON TABLE job_ownerships IS 'Who owns a job: all that the last ownership facet of the job says.';
COMMENT ON COLUMN job_ownerships.job_uuid IS 'Job that is owned.';
COMMENT ON COLUMN job_ownerships.owner_uuid IS 'Who owns it.';
COMMENT ON COLUMN job_ownerships.type IS 'What kind of owner, such as MAINTAINER; empty if not said.';
COMMENT ON COLUMN job_ownerships.reported_at IS 'Time of the event that says so.';
COMMENT ON INDEX job_ownerships_owner_uuid_index IS 'What somebody owns; removal of an owner.';
