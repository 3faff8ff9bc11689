-- The columns of a dataset that jobs read, and where the versions that they have read were made current last. What a job reads is known
-- by the column lineage of what it wrote in its last run, or of what is current of a dataset that a run still writes. Of a job that
-- gives none for this dataset the column is NULL: it may read any.
WITH readers AS (
    SELECT DISTINCT reading.job_uuid, version.latest_run_uuid AS run_uuid
    FROM job_versions_io_mapping AS reading
    JOIN job_versions AS version ON version.uuid = reading.job_version_uuid
    WHERE reading.dataset_uuid = %(dataset)s AND reading.io_type = 'INPUT' AND reading.is_current_job_version
),
written AS (
    SELECT readers.job_uuid, version.uuid AS version_uuid
    FROM readers
    JOIN dataset_versions AS version USING (run_uuid)
    UNION
    SELECT runs.job_uuid, version.uuid
    FROM dataset_fields AS field
    JOIN column_lineage AS lineage ON lineage.input_dataset_field_uuid = field.uuid
    JOIN datasets ON datasets.current_version_uuid = lineage.output_dataset_version_uuid
    JOIN dataset_versions AS version ON version.uuid = datasets.current_version_uuid
    JOIN runs ON runs.uuid = version.run_uuid
    WHERE field.dataset_uuid = %(dataset)s
),
known AS (
    SELECT DISTINCT written.job_uuid, field.name AS column, lineage.input_dataset_version_uuid AS version_uuid
    FROM written
    JOIN column_lineage AS lineage ON lineage.output_dataset_version_uuid = written.version_uuid
    JOIN dataset_fields AS field ON field.uuid = lineage.input_dataset_field_uuid
    WHERE field.dataset_uuid = %(dataset)s
),
reads AS (
    SELECT job_uuid, known.column, version_uuid FROM known
    UNION ALL
    SELECT readers.job_uuid, NULL, version.uuid
    FROM readers
    JOIN runs_input_mapping AS input USING (run_uuid)
    JOIN dataset_versions AS version ON version.uuid = input.dataset_version_uuid
    WHERE version.dataset_uuid = %(dataset)s AND readers.job_uuid NOT IN (SELECT known.job_uuid FROM known)
)
SELECT (jobs.namespace_name || '/' || jobs.name) COLLATE "C" AS job, reads.column COLLATE "C" AS column, last.event_order AS last_current
FROM reads
JOIN jobs ON jobs.uuid = reads.job_uuid
LEFT JOIN LATERAL (
    SELECT event_order
    FROM dataset_schema_verdicts
    WHERE version_uuid = reads.version_uuid AND dataset_uuid = %(dataset)s
    ORDER BY event_order DESC
    LIMIT 1
) AS last ON true
ORDER BY 1, 2
