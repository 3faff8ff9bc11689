-- Makes a partition of the table that create_event_partition has just made. False if that cannot be now: then the caller
-- rolls back, and a later call tries again.
--
-- A partition for moved events has no default partition beside it, so nobody waits for it. One for events that arrive takes
-- its month away from the default partition, and nobody may be inside the table meanwhile: a writer that had chosen the
-- default partition would be refused when its turn came. So the default partition must hold no event of the month but a few,
-- which are moved here, and be small: Postgres looks through it. The caller bounds the time by statement_timeout.
CREATE OR REPLACE FUNCTION attach_event_partition(month timestamptz, is_moved boolean) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
    ends timestamptz := month + interval '1 month';
    bound text := format('FOR VALUES FROM (%L) TO (%L)', month, ends);
    longest_scan CONSTANT bigint := 32 << 20;
BEGIN
    IF is_moved THEN
        EXECUTE format(
            'ALTER TABLE public.lineage_events_moved ATTACH PARTITION public.%I %s',
            to_char(month, '"lineage_events_moved_"YYYY_MM'), bound
        );
        RETURN true;
    END IF;
    IF pg_relation_size('public.lineage_events_default') > longest_scan THEN
        RETURN false;
    END IF;
    LOCK TABLE ONLY public.lineage_events IN ACCESS EXCLUSIVE MODE;
    PERFORM public.move_events(month, ends, 100, 1 << 20);
    IF EXISTS (SELECT FROM public.lineage_events_default WHERE event_time >= month AND event_time < ends) THEN
        RETURN false;
    END IF;
    EXECUTE format(
        'ALTER TABLE public.lineage_events_arrived ATTACH PARTITION public.%I %s',
        to_char(month, '"lineage_events_"YYYY_MM'), bound
    );
    RETURN true;
END
$$;
