-- The pairs of columns that hold between dataset versions.
SELECT
    versions.commit_number,
    versions.copies,
    versions.output_dataset_version_uuid,
    pair.output_dataset_field_uuid,
    versions.input_dataset_version_uuid,
    pair.input_dataset_field_uuid,
    pair.transformation_description,
    pair.transformation_type,
    coalesce(pair.created_at, versions.created_at) AT TIME ZONE 'UTC' AS created_at
FROM {column_lineage_versions} AS versions
JOIN {column_lineage_pairs} AS pair ON pair.pairs_uuid = versions.pairs_uuid
