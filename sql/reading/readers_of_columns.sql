-- The columns of a dataset that jobs read, by the column lineage of the current versions that they have written.
SELECT DISTINCT
    (runs.namespace_name || '/' || runs.job_name) COLLATE "C" AS job,
    input_field.name COLLATE "C" AS column
FROM dataset_fields AS input_field
JOIN column_lineage AS lineage ON lineage.input_dataset_field_uuid = input_field.uuid
JOIN datasets AS written ON written.current_version_uuid = lineage.output_dataset_version_uuid
JOIN dataset_versions AS output ON output.uuid = written.current_version_uuid
JOIN runs ON runs.uuid = output.run_uuid
WHERE input_field.dataset_uuid = %(dataset)s
ORDER BY 1, 2
