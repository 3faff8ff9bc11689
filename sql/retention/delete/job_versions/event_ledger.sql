-- Events of runs that are gone, and of jobs, that have made the job versions of a chunk.
DELETE FROM event_ledger AS stored
USING leaving_job_versions AS leaving, leaving_events AS event
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.job_version_uuid = leaving.uuid AND event.event_order = stored.event_order
