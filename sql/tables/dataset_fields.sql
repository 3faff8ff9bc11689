-- Rendered from tables/dataset_fields.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_fields (
    uuid uuid NOT NULL,
    type text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    dataset_uuid uuid,
    name varchar(255) NOT NULL,
    description text,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_fields_dataset_uuid ON dataset_fields (dataset_uuid);
COMMENT ON TABLE dataset_fields IS 'Every column that a dataset ever had, a row for each name and type; derived from dataset_schemas.';
COMMENT ON COLUMN dataset_fields.uuid IS 'Follows from dataset, name and type.';
COMMENT ON COLUMN dataset_fields.type IS 'Its type as spelled; null if no event gave one.';
COMMENT ON COLUMN dataset_fields.created_at IS 'Time of the first event that had it.';
COMMENT ON COLUMN dataset_fields.updated_at IS 'Time of the last event that had it.';
COMMENT ON COLUMN dataset_fields.dataset_uuid IS 'Its dataset.';
COMMENT ON COLUMN dataset_fields.name IS 'Its name.';
COMMENT ON COLUMN dataset_fields.description IS 'Its description in that event.';
COMMENT ON COLUMN dataset_fields.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_fields.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_fields_dataset_uuid IS 'The columns of a dataset, as the API lists them.';
