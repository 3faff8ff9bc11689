-- The job versions of a chunk.
DELETE FROM job_versions AS stored
USING leaving_job_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
