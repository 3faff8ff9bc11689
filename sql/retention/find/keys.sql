-- What goes, by its keys: what a plan has, and what is reported of one. Rows that hang on it, such as facts, have none of their own.

-- leaving_keys: what goes.
CREATE TEMP VIEW leaving_keys AS
SELECT 'runs' AS kind, uuid FROM leaving_runs
UNION ALL
SELECT 'dataset_versions', uuid FROM leaving_versions
UNION ALL
SELECT 'job_versions', uuid FROM leaving_job_versions
UNION ALL
SELECT 'jobs', uuid FROM leaving_jobs
UNION ALL
SELECT 'datasets', uuid FROM leaving_datasets
UNION ALL
SELECT 'job_events', event_key(event_order) FROM old_job_events
UNION ALL
SELECT 'facet_sets', uuid FROM leaving_facet_sets
UNION ALL
SELECT 'facets', uuid FROM leaving_facets
UNION ALL
SELECT 'dataset_schemas', uuid FROM leaving_dataset_schemas
UNION ALL
SELECT 'dataset_column_lineages', uuid FROM leaving_dataset_column_lineages
UNION ALL
SELECT 'column_lineage_pairs', uuid FROM leaving_column_lineage_pairs
UNION ALL
SELECT 'dataset_fields', uuid FROM leaving_dataset_fields
UNION ALL
SELECT 'run_args', uuid FROM leaving_run_args;
