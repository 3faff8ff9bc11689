-- The columns of a dataset that jobs read, and where the versions that they have read were made current last. What a job reads is known
-- by the column lineage of what it wrote in its last run, or of what is current of a dataset that a run still writes. Of a job that
-- gives none for this dataset the column is NULL: it may read any. A column is a path. column_lineage has no rows of columns within
-- columns; they are found in what the runs have said, by the column that such a name begins with.
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
    SELECT DISTINCT written.job_uuid, ARRAY[field.name::text] AS column, lineage.input_dataset_version_uuid AS version_uuid
    FROM written
    JOIN column_lineage AS lineage ON lineage.output_dataset_version_uuid = written.version_uuid
    JOIN dataset_fields AS field ON field.uuid = lineage.input_dataset_field_uuid
    WHERE field.dataset_uuid = %(dataset)s
    UNION
    SELECT
        written.job_uuid,
        ARRAY[around.name::text] || string_to_array(nullif(substr(pair.field, length(around.name) + 2), ''), '.'),
        version.uuid
    FROM written
    JOIN dataset_versions AS output ON output.uuid = written.version_uuid
    JOIN dataset_mentions AS mention
        ON mention.run_uuid = output.run_uuid
       AND mention.version_uuid = output.uuid
       AND mention.role = output_role()
       AND mention.lineage_uuid IS NOT NULL
    JOIN dataset_column_lineages AS described ON described.uuid = mention.lineage_uuid
    CROSS JOIN LATERAL jsonb_to_recordset(described.pairs) AS pair (dataset uuid, field text)
    LEFT JOIN identity_map AS known_input ON known_input.entity = 'datasets' AND known_input.key_uuid = pair.dataset
    JOIN runs_input_mapping AS input ON input.run_uuid = output.run_uuid
    JOIN dataset_versions AS version ON version.uuid = input.dataset_version_uuid AND version.dataset_uuid = %(dataset)s
    CROSS JOIN LATERAL (
        SELECT name
        FROM dataset_fields
        WHERE dataset_uuid = %(dataset)s AND (name = pair.field OR pair.field ^@ (name || '.'))
        ORDER BY length(name) DESC
        LIMIT 1
    ) AS around
    WHERE coalesce(known_input.uuid, pair.dataset) = %(dataset)s
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
SELECT (jobs.namespace_name || '/' || jobs.name) COLLATE "C" AS job, reads.column, last.event_order AS last_current
FROM reads
JOIN jobs ON jobs.uuid = reads.job_uuid
LEFT JOIN LATERAL (
    SELECT event_order
    FROM dataset_schema_verdicts
    WHERE version_uuid = reads.version_uuid AND dataset_uuid = %(dataset)s
    ORDER BY event_order DESC
    LIMIT 1
) AS last ON true
ORDER BY 1, reads.column::text COLLATE "C"
