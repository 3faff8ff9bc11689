-- Facets of new events. One that is kept once a run bears the order of its event: the first event that has it counts.
INSERT INTO run_facets (created_at, run_uuid, lineage_event_time, lineage_event_type, name, facet)
SELECT
    staged.created_at,
    staged.run_uuid,
    staged.lineage_event_time,
    staged.lineage_event_type,
    staged.name,
    staged.facet
FROM {staging}.run_facets AS staged
JOIN new_events USING (part_id, event_no)
WHERE staged.part_id = ANY (%(parts)s) AND staged.event_order IS NULL;

INSERT INTO run_facets AS stored (
    created_at, run_uuid, lineage_event_time, lineage_event_type, name, facet, event_order
)
SELECT DISTINCT ON (staged.run_uuid, staged.name)
    staged.created_at,
    staged.run_uuid,
    staged.lineage_event_time,
    staged.lineage_event_type,
    staged.name,
    staged.facet,
    staged.event_order
FROM {staging}.run_facets AS staged
JOIN new_events USING (part_id, event_no)
WHERE staged.part_id = ANY (%(parts)s) AND staged.event_order IS NOT NULL
ORDER BY staged.run_uuid, staged.name, staged.event_order
ON CONFLICT (run_uuid, name) WHERE event_order IS NOT NULL DO UPDATE SET
    created_at = excluded.created_at,
    lineage_event_time = excluded.lineage_event_time,
    lineage_event_type = excluded.lineage_event_type,
    facet = excluded.facet,
    event_order = excluded.event_order
WHERE excluded.event_order < stored.event_order;
