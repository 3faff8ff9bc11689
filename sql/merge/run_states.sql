-- Rendered from model/tables/run_states.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO run_states (uuid, transitioned_at, run_uuid, state)
SELECT
    staged.uuid,
    staged.transitioned_at,
    staged.run_uuid,
    staged.state
FROM {staging}.run_states AS staged
JOIN new_events USING (part_id, event_no)
WHERE staged.part_id = ANY (%(parts)s);
