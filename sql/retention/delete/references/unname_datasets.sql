-- Nor do the datasets of a chunk.
UPDATE datasets AS stored
SET current_version_uuid = NULL
FROM naming_datasets AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
