-- name: views/waiting_events
-- Raw events that are not normalized: the watermark has not passed them, the ledger does not have them, and they are not
-- expired.
-- readers: the fall-back of `lineage_core.reading`
-- reads: event_ledger, lineage_events, watermarks
--
-- Events that came twice may stand here twice, with one identity. As in normalize/waiting_by_arrival, transactions that
-- were open at the last run are looked up one by one.
CREATE VIEW waiting_events AS
SELECT
    unseen.arrived_xid,
    unseen.arrival_seq,
    unseen.event_time,
    unseen.run_uuid,
    stated.kind,
    stated.lineage_event_type,
    unseen.event,
    unseen.event_bytes,
    unseen.is_ahead,
    stated.identity
FROM (
    SELECT arrived_xid, arrival_seq, event_time, run_uuid, event, event_bytes, is_ahead
    FROM lineage_events
    WHERE arrived_xid = ANY (
        ARRAY(SELECT pg_snapshot_xip(done)::text::bigint FROM watermarks WHERE name = 'normalize')
    )
    UNION ALL
    SELECT arrived_xid, arrival_seq, event_time, run_uuid, event, event_bytes, is_ahead
    FROM lineage_events
    WHERE arrived_xid >= coalesce(
        (SELECT pg_snapshot_xmax(done)::text::bigint FROM watermarks WHERE name = 'normalize'), 0
    )
) AS unseen
CROSS JOIN LATERAL (
    SELECT
        event_kind(unseen.event) AS kind,
        CASE event_kind(unseen.event) WHEN 'RUN_EVENT' THEN unseen.event ->> 'eventType' END AS lineage_event_type,
        event_identity(unseen.event, unseen.event_time) AS identity
    -- Otherwise Postgres would write each use of it in place, and compute the digest of the event's text again for each.
    OFFSET 0
) AS stated
WHERE NOT EXISTS (
    SELECT
    FROM watermarks
    WHERE name = 'normalize'
      AND pg_visible_in_snapshot(unseen.arrived_xid::text::xid8, target)
      AND (unseen.arrived_xid, unseen.arrival_seq) <= (cursor_xid, cursor_seq)
)
AND NOT EXISTS (
    SELECT
    FROM event_ledger
    WHERE event_order = ANY (ARRAY[event_order(stated.identity, false), event_order(stated.identity, true)]) AND NOT is_purged
)
AND NOT is_behind_horizon(unseen.event, unseen.event_time);

COMMENT ON VIEW waiting_events IS 'Raw events that are not normalized, each with its identity: its order without the first byte.';

-- name: functions/refresh_hourly_counts
-- Counts the events of each hour again, if that was not done within the last hour, and no one is doing it; whether it did. Whoever
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

-- name: access/functions
-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION public.refresh_hourly_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.refresh_hourly_counts TO lineage_jobs;
