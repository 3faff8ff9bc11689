-- So do other contents.
DELETE FROM leaving_facets AS leaving
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'facets' AND approved.uuid = leaving.uuid);

DELETE FROM leaving_dataset_schemas AS leaving
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'dataset_schemas' AND approved.uuid = leaving.uuid);

DELETE FROM leaving_dataset_column_lineages AS leaving
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'dataset_column_lineages' AND approved.uuid = leaving.uuid);

DELETE FROM leaving_column_lineage_pairs AS leaving
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'column_lineage_pairs' AND approved.uuid = leaving.uuid);

DELETE FROM leaving_run_args AS leaving
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'run_args' AND approved.uuid = leaving.uuid);
