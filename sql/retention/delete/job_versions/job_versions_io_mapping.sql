-- What the job versions of a chunk read and write.
DELETE FROM job_versions_io_mapping AS stored
USING leaving_job_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.job_version_uuid = leaving.uuid
