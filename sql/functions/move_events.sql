-- One step of emptying the default partition of lineage_events: moves events of a span of time, at most so many and so many
-- bytes, or one that is larger, to the partitions for moved events. Returns how many; 0 also where there is no partition for
-- them. Each row moves as an update moves it, with its arrival marks: whoever reads meanwhile finds it once, and nobody waits
-- but for a row that he changes himself. Rows that somebody changes now are left for later.
CREATE OR REPLACE FUNCTION move_events(
    begins timestamptz, ends timestamptz, most_events integer DEFAULT 1000, most_bytes bigint DEFAULT 4 << 20
)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    moved integer;
    chosen tid[];
BEGIN
    -- One at a time: Postgres fails whoever waits for a row that then moves to another partition.
    PERFORM pg_advisory_xact_lock(5411769100238117002);
    chosen := ARRAY(
        SELECT row_id
        FROM (
            SELECT row_id, sum(event_bytes) OVER (ROWS UNBOUNDED PRECEDING) - event_bytes AS bytes_before
            FROM (
                SELECT ctid AS row_id, event_bytes
                FROM public.lineage_events_default
                WHERE event_time >= begins AND event_time < ends
                LIMIT most_events
                FOR UPDATE SKIP LOCKED
            ) AS free
        ) AS summed
        WHERE bytes_before < most_bytes
    );
    PERFORM set_config('lineage.moves_events', 'on', true);
    UPDATE public.lineage_events
    SET is_moved = true
    WHERE NOT is_moved
      AND event_time >= begins
      AND event_time < ends
      AND tableoid = 'public.lineage_events_default'::regclass
      AND ctid = ANY (chosen);
    GET DIAGNOSTICS moved = ROW_COUNT;
    PERFORM set_config('lineage.moves_events', 'off', true);
    RETURN moved;
EXCEPTION WHEN check_violation THEN
    RETURN 0;
END
$$;
