-- Drops a partition of lineage_events that holds archived events and nothing else. False if that cannot be now: the caller then
-- rolls back, and deletes rows instead. A partition of this month or a later one stays, as what arrives goes there.
--
-- `rows` and `digest` are of the archived events in it; they are compared with what it holds. Nobody may be inside the table when
-- it goes: a writer that had chosen the partition would be refused when its turn came. So the lock is taken only then, and under
-- it an index tells whether something has come meanwhile. The caller bounds the wait by lock_timeout.
CREATE OR REPLACE FUNCTION drop_event_partition(partition text, rows bigint, digest numeric) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET timezone = 'UTC'
AS $$
#variable_conflict use_variable
DECLARE
    written CONSTANT text := substring(partition COLLATE "C" FROM '^lineage_events_(?:moved_)?([0-9]{4}_[0-9]{2})$');
    month CONSTANT timestamptz := make_date(left(written, 4)::integer, right(written, 2)::integer, 1);
    is_good boolean;
    seen pg_snapshot;
BEGIN
    IF (month < date_trunc('month', now())) IS NOT TRUE THEN
        RETURN false;
    END IF;
    PERFORM pg_advisory_xact_lock(5411769100238117002);  -- as in move_events, which keeps the numbers of what it moves
    PERFORM public.keep_holds();
    IF NOT EXISTS (
        SELECT FROM pg_partition_tree('public.lineage_events') AS tree
        JOIN pg_class ON pg_class.oid = tree.relid
        WHERE isleaf AND relname = partition AND relid = ANY (known_event_partitions())
    ) OR EXISTS (
        SELECT FROM retention_holds_in_force
        WHERE (events_since IS NULL OR events_since < month + interval '1 month')
          AND (events_until IS NULL OR events_until > month)
    ) THEN
        RETURN false;
    END IF;
    -- One statement, and so one snapshot, for what is there and for what is not yet seen.
    EXECUTE format(
        'SELECT
            count(arrived_xid) = $1
            AND coalesce(sum(hashint8extended(arrived_xid, arrival_seq)), 0) = $2
            AND coalesce(bool_and(
                is_passed(arrived_xid, arrival_seq, mark.done, mark.target, mark.cursor_xid, mark.cursor_seq)
            ), true),
            pg_current_snapshot()
        FROM public.watermarks AS mark LEFT JOIN public.%I ON true
        WHERE mark.name = ''normalize''',
        partition
    ) INTO is_good, seen USING rows, digest;
    IF is_good IS NOT TRUE THEN
        RETURN false;
    END IF;
    LOCK TABLE ONLY lineage_events IN ACCESS EXCLUSIVE MODE;
    PERFORM set_config('enable_seqscan', 'off', true);  -- everybody waits now, so nothing is looked through
    EXECUTE format(
        'SELECT NOT EXISTS (SELECT FROM public.%1$I WHERE arrived_xid >= $1) '
        'AND NOT EXISTS (SELECT FROM public.%1$I WHERE arrived_xid = ANY ($2))',
        partition
    ) INTO is_good USING
        pg_snapshot_xmax(seen)::text::bigint, ARRAY(SELECT pg_snapshot_xip(seen)::text::bigint);
    IF is_good THEN
        EXECUTE format('DROP TABLE public.%I', partition);
        INSERT INTO archived_event_months AS known (month, events) VALUES (month, rows)
        ON CONFLICT ON CONSTRAINT archived_event_months_pkey
        DO UPDATE SET events = known.events + excluded.events, last_at = now();
    END IF;
    RETURN is_good;
END
$$;
