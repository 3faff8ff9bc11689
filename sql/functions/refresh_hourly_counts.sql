-- Counts the events of each hour again, if that was not done within the last hour, and nobody is doing it; whether it did. Whoever
-- reads the counts reads on meanwhile. Only the owner of a view may refresh it.
CREATE OR REPLACE FUNCTION refresh_hourly_counts() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET lock_timeout = '2s'
SET jit = off
AS $$
BEGIN
    PERFORM
    FROM public.refreshed_views
    WHERE name = 'lineage_events_by_type_hourly_view'
      AND refreshed_at NOT BETWEEN now() - interval '1 hour' AND now()
    FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    REFRESH MATERIALIZED VIEW CONCURRENTLY public.lineage_events_by_type_hourly_view;
    UPDATE public.refreshed_views SET refreshed_at = now() WHERE name = 'lineage_events_by_type_hourly_view';
    RETURN true;
END
$$;
