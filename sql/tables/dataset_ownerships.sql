-- Rendered from tables/dataset_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_ownerships (
    dataset_uuid uuid NOT NULL,
    owner_uuid uuid NOT NULL,
    type varchar NOT NULL,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (dataset_uuid, owner_uuid, type),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (owner_uuid) REFERENCES owners (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_ownerships_owner_uuid_index ON dataset_ownerships (owner_uuid);
COMMENT ON TABLE dataset_ownerships IS 'Who owns a dataset: all that the last ownership facet of the dataset says.';
COMMENT ON COLUMN dataset_ownerships.dataset_uuid IS 'Dataset that is owned.';
COMMENT ON COLUMN dataset_ownerships.owner_uuid IS 'Who owns it.';
COMMENT ON COLUMN dataset_ownerships.type IS 'What kind of owner, such as MAINTAINER; empty if not said.';
COMMENT ON COLUMN dataset_ownerships.reported_at IS 'Time of the event that says so.';
COMMENT ON INDEX dataset_ownerships_owner_uuid_index IS 'What somebody owns; removal of an owner.';
