-- Rendered from tables/run_facets.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO run_facets (created_at, run_uuid, lineage_event_time, lineage_event_type, name, facet)
SELECT
    staged.created_at,
    staged.run_uuid,
    staged.lineage_event_time,
    staged.lineage_event_type,
    staged.name,
    staged.facet
FROM staging.run_facets AS staged
JOIN new_events USING (part_id, event_no)
WHERE staged.part_id = ANY (%(parts)s);
