-- From when until when jobs read and write datasets, for lineage at any moment.
CREATE TABLE job_version_timeline (
    job_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    run_uuid uuid,
    job_version_uuid uuid NOT NULL,
    PRIMARY KEY (job_uuid, event_order),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
COMMENT ON TABLE job_version_timeline IS 'Which version of a job was in force from when, by the order of events; job_edges follow from it.';
COMMENT ON COLUMN job_version_timeline.job_uuid IS 'The job.';
COMMENT ON COLUMN job_version_timeline.event_order IS 'Order of the event: a COMPLETE, a job event, or an event of a streaming job that names datasets.';
COMMENT ON COLUMN job_version_timeline.run_uuid IS 'The run of that event, which may be gone; null for a job event.';
COMMENT ON COLUMN job_version_timeline.job_version_uuid IS 'The version, which may be gone.';
CREATE TABLE job_edges (
    job_uuid uuid NOT NULL,
    role integer NOT NULL,
    name_uuid uuid NOT NULL,
    lineage_uuid uuid NOT NULL,
    since_event bytea NOT NULL,
    until_event bytea NOT NULL,
    PRIMARY KEY (job_uuid, role, name_uuid, lineage_uuid, since_event),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX job_edges_job_index ON job_edges (job_uuid, until_event);
CREATE INDEX job_edges_name_index ON job_edges (name_uuid, until_event);
CREATE INDEX job_edges_lineage_index ON job_edges (lineage_uuid, until_event) WHERE lineage_uuid <> '00000000-0000-0000-0000-000000000000';
COMMENT ON TABLE job_edges IS 'What a job reads and writes, and where the columns of an output come from, from when until when. An edge is of the name that events used: whose name that is may change, so readers ask for all names of a dataset.';
COMMENT ON COLUMN job_edges.job_uuid IS 'The job.';
COMMENT ON COLUMN job_edges.role IS '1 reads, 2 writes.';
COMMENT ON COLUMN job_edges.name_uuid IS 'Key of the dataset''s name, a row of `dataset_names`.';
COMMENT ON COLUMN job_edges.lineage_uuid IS 'The description of the output''s columns that held, a row of `dataset_column_lineages`; the nil UUID for the edge itself, which holds whatever is stated of columns.';
COMMENT ON COLUMN job_edges.since_event IS 'Order of the event from which on it held without a break.';
COMMENT ON COLUMN job_edges.until_event IS 'Order of the event of the version that lacks it; the byte FF, behind all orders, while it holds.';
COMMENT ON INDEX job_edges_job_index IS 'What a job read and wrote at a moment.';
COMMENT ON INDEX job_edges_name_index IS 'Who read and wrote a dataset at a moment.';
COMMENT ON INDEX job_edges_lineage_index IS 'Who described columns so at a moment.';

CREATE TABLE changes.job_edges (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    job_uuid uuid,
    role integer,
    name_uuid uuid,
    lineage_uuid uuid,
    since_event bytea,
    until_event bytea
);
COMMENT ON TABLE changes.job_edges IS 'Changes of job_edges that wait for their publication.';
COMMENT ON COLUMN changes.job_edges.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.job_edges.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.job_edges.copies IS 'How many rows came, or, below 0, went.';
CREATE TABLE dataset_endings (
    name_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    renamed_to uuid,
    PRIMARY KEY (name_uuid, event_order)
);
COMMENT ON TABLE dataset_endings IS 'When a dataset was dropped or renamed: no edge to it holds from then on, until an event names it again.';
COMMENT ON COLUMN dataset_endings.name_uuid IS 'Key of the name that ended.';
COMMENT ON COLUMN dataset_endings.event_order IS 'Order of the event that says so.';
COMMENT ON COLUMN dataset_endings.renamed_to IS 'Key of the name that it got; null if it was dropped.';

CREATE UNLOGGED TABLE staging.dataset_endings (
    part_id bigint NOT NULL,
    name_uuid uuid,
    event_order bytea,
    renamed_to uuid
);
COMMENT ON TABLE staging.dataset_endings IS 'Rows for dataset_endings that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.dataset_endings (
    part_id bigint NOT NULL,
    name_uuid uuid,
    event_order bytea,
    renamed_to uuid
);
COMMENT ON TABLE staging_2.dataset_endings IS 'Rows for dataset_endings that wait for their merge; emptied by a crash.';
CREATE TABLE column_lineage_inputs (
    lineage_uuid uuid NOT NULL,
    name_uuid uuid NOT NULL,
    PRIMARY KEY (lineage_uuid, name_uuid),
    FOREIGN KEY (lineage_uuid) REFERENCES dataset_column_lineages (uuid) ON DELETE CASCADE
);
CREATE INDEX column_lineage_inputs_name_index ON column_lineage_inputs (name_uuid);
COMMENT ON TABLE column_lineage_inputs IS 'Which datasets a description of an output''s columns takes them from, each once.';
COMMENT ON COLUMN column_lineage_inputs.lineage_uuid IS 'The description.';
COMMENT ON COLUMN column_lineage_inputs.name_uuid IS 'Key of the name of a dataset in it.';
COMMENT ON INDEX column_lineage_inputs_name_index IS 'What takes its columns from a dataset, downstream.';
