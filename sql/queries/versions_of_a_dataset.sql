-- The versions of a dataset: when each was made, by which run, with which schema, and what became of that.
-- parameters: dataset
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT dataset_versions.created_at AS made_at,
       left(dataset_versions.version::text, 8) AS version,
       left(dataset_versions.dataset_schema_version_uuid::text, 8) AS schema_version,
       runs.uuid AS run,
       runs.current_run_state AS run_state,
       dataset_versions.uuid = datasets.current_version_uuid AS is_current
FROM datasets
JOIN dataset_versions ON dataset_versions.dataset_uuid = datasets.uuid
LEFT JOIN runs ON runs.uuid = dataset_versions.run_uuid
WHERE datasets.name = :'dataset' AND (:'namespace' = '' OR datasets.namespace_name = :'namespace')
ORDER BY dataset_versions.created_at, dataset_versions.version;
