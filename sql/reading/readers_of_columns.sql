-- The columns of a dataset that jobs read, by the column lineage of the current versions that they have written, and where the
-- versions that they have read were made current last.
SELECT reads.job, reads.column, last.event_order AS last_current
FROM (
    SELECT DISTINCT
        (runs.namespace_name || '/' || runs.job_name) COLLATE "C" AS job,
        input_field.name COLLATE "C" AS column,
        lineage.input_dataset_version_uuid AS version_uuid
    FROM dataset_fields AS input_field
    JOIN column_lineage AS lineage ON lineage.input_dataset_field_uuid = input_field.uuid
    JOIN datasets AS written ON written.current_version_uuid = lineage.output_dataset_version_uuid
    JOIN dataset_versions AS output ON output.uuid = written.current_version_uuid
    JOIN runs ON runs.uuid = output.run_uuid
    WHERE input_field.dataset_uuid = %(dataset)s
) AS reads
LEFT JOIN LATERAL (
    SELECT event_order
    FROM dataset_schema_verdicts
    WHERE version_uuid = reads.version_uuid AND dataset_uuid = %(dataset)s
    ORDER BY event_order DESC
    LIMIT 1
) AS last ON true
ORDER BY 1, 2
