-- Facets of new events, each with the job version of its run, or of its job event; facets of moments that move follow them.
UPDATE job_facets AS stored
SET job_version_uuid = moved.job_version_uuid
FROM moved_runs AS moved
WHERE stored.run_uuid = moved.run_uuid;

UPDATE job_facets AS stored
SET job_version_uuid = moments.version_uuid
FROM moments
WHERE moments.run_uuid IS NULL
  AND moments.old_version_uuid <> moments.version_uuid
  AND stored.run_uuid IS NULL
  AND stored.job_uuid = moments.job_uuid
  AND stored.event_order = moments.event_order;

INSERT INTO job_facets (
    created_at, job_uuid, run_uuid, lineage_event_time, lineage_event_type, name, facet, job_version_uuid, event_order
)
SELECT
    staged.created_at,
    new_events.job_uuid,
    staged.run_uuid,
    staged.lineage_event_time,
    staged.lineage_event_type,
    staged.name,
    staged.facet,
    CASE WHEN staged.run_uuid IS NULL THEN moments.version_uuid ELSE runs.job_version_uuid END,
    CASE WHEN staged.run_uuid IS NULL THEN new_events.event_order END
FROM {staging}.job_facets AS staged
JOIN new_events USING (part_id, event_no)
LEFT JOIN moments USING (event_order)
LEFT JOIN runs ON runs.uuid = staged.run_uuid
WHERE staged.part_id = ANY (%(parts)s);
