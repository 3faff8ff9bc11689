-- Which input column an output column was made from, a row for each pair of dataset versions.
-- readers: Marquez' server
-- reads: column_lineage_pairs, column_lineage_versions
--
-- It has the columns of Marquez' table.
CREATE VIEW column_lineage AS
SELECT
    versions.output_dataset_version_uuid,
    pair.output_dataset_field_uuid,
    versions.input_dataset_version_uuid,
    pair.input_dataset_field_uuid,
    pair.transformation_description,
    pair.transformation_type,
    coalesce(pair.created_at, versions.created_at) AT TIME ZONE 'UTC' AS created_at,
    coalesce(pair.updated_at, versions.updated_at) AT TIME ZONE 'UTC' AS updated_at
FROM column_lineage_versions AS versions
JOIN column_lineage_pairs AS pair USING (pairs_uuid);

COMMENT ON VIEW column_lineage IS 'Which input column an output column was made from, a row for each pair of dataset versions.';
