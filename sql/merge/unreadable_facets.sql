-- Rendered from model/tables/unreadable_facets.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO unreadable_facets (event_order, event_time, run_uuid, producer, name, path, reason)
SELECT
    staged.event_order,
    staged.event_time,
    staged.run_uuid,
    staged.producer,
    staged.name,
    staged.path,
    staged.reason
FROM {staging}.unreadable_facets AS staged
JOIN new_events USING (part_id, event_no)
WHERE staged.part_id = ANY (%(parts)s);
