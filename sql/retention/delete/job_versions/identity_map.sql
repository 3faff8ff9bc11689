-- Which uuids the job versions of a chunk had.
DELETE FROM identity_map AS stored
USING leaving_job_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.entity = 'job_versions' AND stored.uuid = leaving.uuid
