-- Rendered from tables/dataset_version_timeline.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_version_timeline (
    dataset_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    is_written boolean NOT NULL,
    version_uuid uuid NOT NULL,
    PRIMARY KEY (dataset_uuid, event_order, is_written),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_version_timeline_reader_index ON dataset_version_timeline (dataset_uuid) WHERE NOT is_written;
COMMENT ON TABLE dataset_version_timeline IS 'Which version of a dataset was current from when, by the order of events.';
COMMENT ON COLUMN dataset_version_timeline.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN dataset_version_timeline.event_order IS 'Order of the event that made it current.';
COMMENT ON COLUMN dataset_version_timeline.is_written IS 'Written or declared; false where the first reader of an unknown dataset made it.';
COMMENT ON COLUMN dataset_version_timeline.version_uuid IS 'The version.';
COMMENT ON INDEX dataset_version_timeline_reader_index IS 'The version that a reader made, if one did.';
