-- Which uuids the versions of a chunk had.
DELETE FROM identity_map AS stored
USING leaving_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.entity = 'dataset_versions' AND stored.uuid = leaving.uuid
