-- Makes the table for the raw events of the month that begins at `month`, in UTC: for those that arrive, or, `is_moved`, for
-- those that stood in the default partition. Returns its name, or null if there is one of that name already. It takes in
-- nothing before attach_event_partition has made it a partition, in the same transaction.
CREATE OR REPLACE FUNCTION create_event_partition(month timestamptz, is_moved boolean) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
    partition text := to_char(month, CASE WHEN is_moved THEN '"lineage_events_moved_"' ELSE '"lineage_events_"' END || 'YYYY_MM');
BEGIN
    IF (month = date_trunc('month', month) AND month >= '1970-01-01' AND month < '2100-01-01') IS NOT TRUE THEN
        RAISE invalid_parameter_value USING MESSAGE =
            'a month begins on its first day, in UTC, and lies between 1970 and 2100, not ' || coalesce(month::text, 'null');
    END IF;
    PERFORM pg_advisory_xact_lock(5411769100238117002);  -- as in move_events: one at a time makes partitions, or moves events
    IF to_regclass(format('public.%I', partition)) IS NOT NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.lineage_events INCLUDING ALL)', partition);
    RETURN partition;
END
$$;
