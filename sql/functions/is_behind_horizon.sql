-- Whether retention has deleted what happened at the time of an event, in its namespace: that of its job, or of the dataset that it
-- describes. Restored events are not: a legal hold is about their time. Agrees with lineage_core.normalize.store.horizons.
CREATE OR REPLACE FUNCTION is_behind_horizon(event jsonb, event_time timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT EXISTS (
        SELECT
        FROM public.retention_horizons AS horizon
        WHERE event_time < horizon.before
          AND (horizon.kind, horizon.namespace) = (
              SELECT said.kind, regexp_replace(said.namespace COLLATE "C", '[^-a-zA-Z0-9:/_.@+]', '_', 'g')
              FROM (
                  SELECT 'versions', event #>> '{dataset,namespace}'
                  WHERE public.event_kind(event) = 'DATASET_EVENT'
                  UNION ALL
                  SELECT 'runs', event #>> '{job,namespace}'
                  WHERE public.event_kind(event) <> 'DATASET_EVENT'
              ) AS said (kind, namespace)
          )
    )
    AND NOT EXISTS (
        SELECT
        FROM public.retention_holds_in_force AS held
        WHERE held.namespace_pattern = '*'
          AND event_time >= held.events_since
          AND (held.events_until IS NULL OR event_time < held.events_until)
    )
$$;
