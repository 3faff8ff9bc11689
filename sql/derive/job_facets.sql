-- Facets of new events, each with the job version of its run, or of its job event; facets of moved runs follow them.
UPDATE job_facets AS stored
SET job_version_uuid = moved.job_version_uuid
FROM moved_runs AS moved
WHERE stored.run_uuid = moved.run_uuid;

INSERT INTO job_facets (
    created_at, job_uuid, run_uuid, lineage_event_time, lineage_event_type, name, facet, job_version_uuid
)
SELECT
    staged.created_at,
    new_events.job_uuid,
    staged.run_uuid,
    staged.lineage_event_time,
    staged.lineage_event_type,
    staged.name,
    staged.facet,
    CASE WHEN staged.run_uuid IS NULL THEN moments.version_uuid ELSE runs.job_version_uuid END
FROM staging.job_facets AS staged
JOIN new_events USING (part_id, event_no)
LEFT JOIN moments USING (event_order)
LEFT JOIN runs ON runs.uuid = staged.run_uuid
WHERE staged.part_id = ANY (%(parts)s);
