-- Rendered from tables/datasets_tag_mapping.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE datasets_tag_mapping (
    dataset_uuid uuid NOT NULL,
    tag_uuid uuid NOT NULL,
    tagged_at timestamp NOT NULL,
    is_reported boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tag_uuid, dataset_uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (tag_uuid) REFERENCES tags (uuid) ON DELETE CASCADE
);
CREATE INDEX datasets_tag_mapping_dataset_uuid_index ON datasets_tag_mapping (dataset_uuid);
COMMENT ON TABLE datasets_tag_mapping IS 'The tags that events and people put on datasets.';
COMMENT ON COLUMN datasets_tag_mapping.dataset_uuid IS 'Dataset that bears the tag.';
COMMENT ON COLUMN datasets_tag_mapping.tag_uuid IS 'Tag that it bears.';
COMMENT ON COLUMN datasets_tag_mapping.tagged_at IS 'When a person put it there, or the time of the event that reports it, in UTC.';
COMMENT ON COLUMN datasets_tag_mapping.is_reported IS 'Whether it comes from events. What people put there stays until people take it away.';
COMMENT ON INDEX datasets_tag_mapping_dataset_uuid_index IS 'Tags of one dataset; removal of a dataset.';
