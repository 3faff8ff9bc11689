-- What a run had named by an event, that event included; for an event of no run, what itself names. Not STRICT and plain SQL,
-- so that the planner takes it into the statement that calls it; so the table is named with its schema, whatever the path.
CREATE OR REPLACE FUNCTION datasets_named_by(run uuid, event bytea)
RETURNS TABLE (role integer, dataset_uuid uuid, version_uuid uuid)
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT mention.role, mention.dataset_uuid, mention.version_uuid
    FROM public.dataset_mentions AS mention
    WHERE mention.run_uuid = run AND mention.event_order <= event
    UNION ALL
    SELECT mention.role, mention.dataset_uuid, mention.version_uuid
    FROM public.dataset_mentions AS mention
    WHERE run IS NULL AND mention.run_uuid IS NULL AND mention.event_order = event
$$;
