-- The dataset versions of a chunk.
DELETE FROM dataset_versions AS stored
USING leaving_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
