-- What is left of events that have made the job versions of a chunk names none any more.
UPDATE event_ledger AS stored
SET job_version_uuid = NULL
FROM leaving_job_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.job_version_uuid = leaving.uuid
