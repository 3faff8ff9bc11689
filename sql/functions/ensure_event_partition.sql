-- Makes the partition of lineage_events for the month that begins at `month`, and moves into it what the default
-- partition holds of that month, with their arrival marks. Returns its name, or null if it was there already or a lock
-- was not to be had in time: then nothing has changed, and the next call tries again.
--
-- Nobody may be inside the table meanwhile. A writer that had chosen the default partition would be refused when its
-- turn came, and a reader that had listed the partitions would look into the default one after its rows had left.
CREATE OR REPLACE FUNCTION ensure_event_partition(month timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET lock_timeout = '2s'
AS $$
DECLARE
    begins timestamptz := date_trunc('month', month);
    ends timestamptz := date_trunc('month', month) + interval '1 month';
    partition text := to_char(begins, '"lineage_events_"YYYY_MM');
    columns text := string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
        WHERE attrelid = 'public.lineage_events'::regclass
            AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
BEGIN
    IF to_regclass(format('public.%I', partition)) IS NOT NULL THEN
        RETURN NULL;
    END IF;
    LOCK TABLE ONLY public.lineage_events IN ACCESS EXCLUSIVE MODE;
    IF to_regclass(format('public.%I', partition)) IS NOT NULL THEN
        RETURN NULL;
    END IF;
    EXECUTE format('CREATE TABLE public.%I (LIKE public.lineage_events INCLUDING ALL)', partition);
    EXECUTE format(
        'WITH moved AS (
            DELETE FROM public.lineage_events_default WHERE event_time >= $1 AND event_time < $2 RETURNING %1$s
        ) INSERT INTO public.%2$I (%1$s) SELECT %1$s FROM moved',
        columns, partition
    ) USING begins, ends;
    EXECUTE format(
        'ALTER TABLE public.lineage_events ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
        partition, begins, ends
    );
    RETURN partition;
EXCEPTION WHEN lock_not_available OR deadlock_detected THEN
    RETURN NULL;
END
$$;
