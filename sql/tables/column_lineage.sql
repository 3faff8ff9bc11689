-- Rendered from tables/column_lineage.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE column_lineage (
    output_dataset_version_uuid uuid,
    output_dataset_field_uuid uuid,
    input_dataset_version_uuid uuid,
    input_dataset_field_uuid uuid,
    transformation_description text,
    transformation_type varchar(255),
    created_at timestamp NOT NULL,
    updated_at timestamp NOT NULL,
    CONSTRAINT column_lineage_output_dataset_version_uuid_output_dataset_f_key UNIQUE (output_dataset_version_uuid, output_dataset_field_uuid, input_dataset_version_uuid, input_dataset_field_uuid),
    FOREIGN KEY (output_dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (output_dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE,
    FOREIGN KEY (input_dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (input_dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE
);
CREATE INDEX column_lineage_output_dataset_field_uuid_index ON column_lineage (output_dataset_field_uuid);
CREATE INDEX column_lineage_input_dataset_version_uuid_index ON column_lineage (input_dataset_version_uuid);
CREATE INDEX column_lineage_input_dataset_field_uuid_index ON column_lineage (input_dataset_field_uuid);
COMMENT ON TABLE column_lineage IS 'Which input column an output column was made from, a row for each pair of dataset versions.';
COMMENT ON COLUMN column_lineage.output_dataset_version_uuid IS 'Version that the output column belongs to.';
COMMENT ON COLUMN column_lineage.output_dataset_field_uuid IS 'Column that was written.';
COMMENT ON COLUMN column_lineage.input_dataset_version_uuid IS 'Version that the input column was read from.';
COMMENT ON COLUMN column_lineage.input_dataset_field_uuid IS 'Column that was read.';
COMMENT ON COLUMN column_lineage.transformation_description IS 'What was done to the input, in the producer''s words.';
COMMENT ON COLUMN column_lineage.transformation_type IS 'Kind of transformation, such as IDENTITY or MASKED.';
COMMENT ON COLUMN column_lineage.created_at IS 'Time of the first event that says it, in UTC.';
COMMENT ON COLUMN column_lineage.updated_at IS 'Time of the last event that says it, in UTC.';
COMMENT ON INDEX column_lineage_output_dataset_field_uuid_index IS 'Lineage of one column, upstream; removal of a column.';
COMMENT ON INDEX column_lineage_input_dataset_version_uuid_index IS 'Removal of a dataset version that was read.';
COMMENT ON INDEX column_lineage_input_dataset_field_uuid_index IS 'Lineage of one column, downstream; removal of a column.';
