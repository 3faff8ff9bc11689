-- Turns on again the triggers that give each event the number of its arrival, where somebody has turned them off, as
-- `pg_restore --disable-triggers` does; it leaves them on, but not under ALWAYS. What came in meanwhile bears numbers from
-- elsewhere, so the partition is forgotten, and renumber_foreign_events looks into it. Locks last until the transaction ends,
-- so call it in one of its own. A table that is not to be had in time waits for the next call.
CREATE OR REPLACE FUNCTION guard_event_partitions() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET lock_timeout = '2s'
AS $$
DECLARE
    unguarded regclass;
BEGIN
    FOR unguarded IN
        SELECT tree.relid
        FROM pg_partition_tree('public.lineage_events') AS tree JOIN pg_trigger ON tgrelid = tree.relid
        WHERE tgname = ANY ('{lineage_events_1_check,lineage_events_2_describe}') AND tgenabled <> 'A'
        GROUP BY tree.relid
    LOOP
        BEGIN
            EXECUTE format(
                'ALTER TABLE ONLY %s ENABLE ALWAYS TRIGGER lineage_events_1_check,'
                ' ENABLE ALWAYS TRIGGER lineage_events_2_describe',
                unguarded
            );
            UPDATE public.watermarks SET partitions = ARRAY(
                SELECT known FROM unnest(partitions) AS known WHERE split_part(known, ':', 1)::oid <> unguarded
            );
        EXCEPTION WHEN lock_not_available THEN
            RAISE NOTICE '% is in use', unguarded;
        END;
    END LOOP;
END
$$;
