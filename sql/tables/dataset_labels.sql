-- Rendered from tables/dataset_labels.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_labels (
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_labels_dataset_uuid_index ON dataset_labels (dataset_uuid);
COMMENT ON TABLE dataset_labels IS 'The tags and owners that the last event with such a facet gives a dataset, a row for each of its names. Tags and ownerships follow from it.';
COMMENT ON COLUMN dataset_labels.uuid IS 'Follows from the name by which events call the dataset.';
COMMENT ON COLUMN dataset_labels.dataset_uuid IS 'The dataset that bears the name.';
COMMENT ON COLUMN dataset_labels.tags IS 'Name of each tag, and the column that bears it or null.';
COMMENT ON COLUMN dataset_labels.tags_reported_at IS 'Time of that event.';
COMMENT ON COLUMN dataset_labels.owners IS 'Name and type of each owner.';
COMMENT ON COLUMN dataset_labels.owners_reported_at IS 'Time of that event.';
COMMENT ON COLUMN dataset_labels.tags_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN dataset_labels.owners_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_labels_dataset_uuid_index IS 'Labels of a dataset; its removal.';
