-- What lineage at any moment is read from has changelog streams, too, and publications are kept: for lineage as it was known.
CREATE TABLE stream_publications (
    system_time timestamptz NOT NULL,
    known_until timestamptz NOT NULL,
    streams text[] NOT NULL,
    epoch bigint NOT NULL,
    PRIMARY KEY (system_time),
    CHECK (known_until >= system_time)
);
COMMENT ON TABLE stream_publications IS 'What was known when: each publication that published anything, or of other streams than the one before. The streams that it lists were as one snapshot of the store saw their tables, until the next publication.';
COMMENT ON COLUMN stream_publications.system_time IS 'System time of the records that it published.';
COMMENT ON COLUMN stream_publications.known_until IS 'When a publication last found nothing new behind it.';
COMMENT ON COLUMN stream_publications.streams IS 'The streams that were on, and did not fail, by name.';
COMMENT ON COLUMN stream_publications.epoch IS 'Epoch of the lease under which it was made.';

CREATE TABLE changes.identity_map (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    entity text,
    key_uuid uuid,
    uuid uuid
);
COMMENT ON TABLE changes.identity_map IS 'Changes of identity_map that wait for their publication.';
COMMENT ON COLUMN changes.identity_map.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.identity_map.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.identity_map.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_endings (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    name_uuid uuid,
    event_order bytea,
    renamed_to uuid
);
COMMENT ON TABLE changes.dataset_endings IS 'Changes of dataset_endings that wait for their publication.';
COMMENT ON COLUMN changes.dataset_endings.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_endings.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_endings.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.job_version_timeline (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    job_uuid uuid,
    event_order bytea,
    run_uuid uuid,
    job_version_uuid uuid
);
COMMENT ON TABLE changes.job_version_timeline IS 'Changes of job_version_timeline that wait for their publication.';
COMMENT ON COLUMN changes.job_version_timeline.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.job_version_timeline.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.job_version_timeline.copies IS 'How many rows came, or, below 0, went.';
