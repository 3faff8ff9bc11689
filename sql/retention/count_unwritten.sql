-- How many versions that stay are written by a run that goes: they lose it, with its facets and its column lineage.
SELECT count(*)
FROM leaving_runs
JOIN dataset_versions AS version ON version.run_uuid = leaving_runs.uuid
WHERE NOT EXISTS (SELECT FROM leaving_versions AS other WHERE other.uuid = version.uuid)
