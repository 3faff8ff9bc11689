-- Rows that go, for each table.
SELECT * FROM (
    SELECT 'runs' AS table, count(*) AS rows FROM leaving_runs
    UNION ALL
    SELECT 'run_states', count(*) FROM run_states JOIN leaving_runs ON leaving_runs.uuid = run_uuid
    UNION ALL
    SELECT 'run_facets_kept_once', count(*) FROM run_facets_kept_once JOIN leaving_runs ON leaving_runs.uuid = run_uuid
    UNION ALL
    SELECT 'runs_input_mapping', count(*) FROM runs_input_mapping JOIN leaving_runs ON leaving_runs.uuid = run_uuid
    UNION ALL
    SELECT 'unreadable_facets', count(*) FROM unreadable_facets JOIN leaving_runs ON leaving_runs.uuid = run_uuid
    UNION ALL
    SELECT 'event_ledger', count(*) FROM leaving_events
    UNION ALL
    SELECT 'dataset_mentions', count(*) FROM leaving_mentions
    UNION ALL
    SELECT 'parent_mentions', count(*) FROM leaving_parents
    UNION ALL
    SELECT 'column_lineage_versions', count(*) FROM leaving_lineages
    UNION ALL
    SELECT 'dataset_version_timeline', count(*) FROM leaving_rows
    UNION ALL
    SELECT 'dataset_versions', count(*) FROM leaving_versions
    UNION ALL
    SELECT 'dataset_schema_versions', count(*) FROM leaving_schema_versions
    UNION ALL
    SELECT 'dataset_schema_versions_field_mapping', count(*)
    FROM dataset_schema_versions_field_mapping
    JOIN leaving_schema_versions ON leaving_schema_versions.uuid = dataset_schema_version_uuid
    UNION ALL
    SELECT 'job_versions', count(*) FROM leaving_job_versions
    UNION ALL
    SELECT 'job_versions_io_mapping', count(*)
    FROM job_versions_io_mapping
    JOIN leaving_job_versions ON leaving_job_versions.uuid = job_version_uuid
    UNION ALL
    SELECT 'identity_map', count(*)
    FROM identity_map AS known
    WHERE (known.entity = 'dataset_versions' AND known.uuid IN (SELECT uuid FROM leaving_versions))
       OR (known.entity = 'job_versions' AND known.uuid IN (SELECT uuid FROM leaving_job_versions))
    UNION ALL
    SELECT 'quarantine', count(*) FROM leaving_quarantine
    UNION ALL
    SELECT 'facet_sets', count(*) FROM leaving_facet_sets
    UNION ALL
    SELECT 'facets', count(*) FROM leaving_facets
    UNION ALL
    SELECT 'dataset_schemas', count(*) FROM leaving_dataset_schemas
    UNION ALL
    SELECT 'dataset_column_lineages', count(*) FROM leaving_dataset_column_lineages
    UNION ALL
    SELECT 'column_lineage_pairs', count(*)
    FROM column_lineage_pairs
    JOIN leaving_column_lineage_pairs AS leaving ON leaving.uuid = pairs_uuid
    UNION ALL
    SELECT 'run_args', count(*) FROM leaving_run_args
) AS counted
WHERE rows > 0
