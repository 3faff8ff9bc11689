-- The staged events that the ledger does not hold, each once.
-- again: A slice is merged.
-- reads: staging.event_ledger, event_ledger, identity_map of jobs

-- new_events: the staged events that the ledger does not hold, each once however often it was staged. Of copies that
-- were judged differently, the one that did not lie ahead of its receipt counts.
CREATE TEMP TABLE new_events ON COMMIT DROP AS
SELECT DISTINCT ON (substr(event_order, 2))
    staged.part_id,
    staged.event_no,
    staged.event_order,
    staged.event_time,
    staged.run_uuid,
    coalesce(known_job.uuid, staged.job_uuid) AS job_uuid,
    staged.is_complete,
    staged.makes_job_version,
    staged.location,
    staged.lineage_event_type,
    staged.run_facets_uuid,
    staged.job_facets_uuid
FROM {staging}.event_ledger AS staged
LEFT JOIN identity_map AS known_job ON known_job.entity = 'jobs' AND known_job.key_uuid = staged.job_uuid
WHERE staged.part_id = ANY (%(parts)s)
  AND NOT EXISTS (
      SELECT FROM event_ledger WHERE event_ledger.event_order = staged.event_order AND NOT event_ledger.is_purged
  )
ORDER BY substr(event_order, 2), event_order, part_id, event_no;

CREATE UNIQUE INDEX ON new_events (part_id, event_no);
ANALYZE new_events;
