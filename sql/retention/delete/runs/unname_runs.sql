-- Versions that the runs of a chunk have written name no run any more.
UPDATE dataset_versions AS stored
SET run_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid
