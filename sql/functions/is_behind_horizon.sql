-- Whether retention has deleted what happened at the time of an event: runs in the namespace of its job, or versions in that of a
-- dataset that it names, by whichever of its names. Restored events are not, while they are held.
CREATE OR REPLACE FUNCTION is_behind_horizon(event jsonb, event_time timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT event_time < (SELECT max(before) FROM public.retention_horizons)
    AND EXISTS (
        SELECT
        FROM public.retention_horizons AS horizon
        WHERE event_time < horizon.before
          AND (horizon.kind, horizon.namespace) IN (
              SELECT 'runs', public.formatted_namespace(event #>> '{job,namespace}')
              WHERE public.event_kind(event) <> 'DATASET_EVENT'
              UNION ALL
              SELECT 'versions', said.namespace
              FROM public.datasets_of_raw_event(event) AS said
              UNION ALL
              SELECT 'versions', dataset.namespace_name
              FROM public.datasets_of_raw_event(event) AS said
              JOIN public.namespaces AS named ON named.name = said.namespace
              JOIN public.dataset_symlinks AS symlink ON symlink.namespace_uuid = named.uuid AND symlink.name = said.name
              JOIN public.datasets AS dataset ON dataset.uuid = symlink.dataset_uuid
          )
    )
    AND NOT public.is_restored(event, event_time)
$$;
