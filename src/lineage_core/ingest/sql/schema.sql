-- The partitions of lineage_events, which the jobs may not change themselves.

-- name: functions/event_partitions
-- Each partition of lineage_events that holds rows, as it is attached now: attached again, itself or with the one that it is
-- a part of, it is another one.
CREATE OR REPLACE FUNCTION event_partitions() RETURNS text[]
LANGUAGE sql STABLE
AS $$
SELECT coalesce(array_agg(format('%s:%s', tree.relid::oid, attached)), '{}')
FROM pg_partition_tree('public.lineage_events') AS tree
CROSS JOIN LATERAL (
    SELECT string_agg(pg_inherits.xmin::text, '/' ORDER BY inhrelid)
    FROM pg_partition_ancestors(tree.relid) AS above JOIN pg_inherits ON inhrelid = above.relid
) AS way (attached)
WHERE isleaf
$$;

-- name: functions/known_event_partitions
-- The partitions of lineage_events of which the last normalization run knows that their arrival numbers are of here. What is in
-- another one may count as done by its number, and not be.
CREATE OR REPLACE FUNCTION known_event_partitions() RETURNS oid[]
LANGUAGE sql STABLE
AS $$
    SELECT coalesce(array_agg(split_part(attached, ':', 1)::oid), '{}')
    FROM public.watermarks
    CROSS JOIN LATERAL unnest(public.event_partitions()) AS attached
    WHERE name = 'normalize' AND attached = ANY (partitions)
$$;

-- name: functions/guard_event_partitions
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

-- name: functions/create_event_partition
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

-- name: functions/attach_event_partition
-- Makes a partition of the table that create_event_partition has just made. False if that cannot be now: then the caller
-- rolls back, and a later call tries again.
--
-- A partition for moved events has no default partition beside it, so none waits for it. One for events that arrive takes
-- its month away from the default partition, and no one may be inside the table meanwhile: a writer that had chosen the
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

-- name: functions/crowded_event_times
-- The spans of time of which the default partition of lineage_events holds so many events that they are worth a partition:
-- months, in UTC, and what lies before 1970 or behind 2099, which wrong clocks say. Of this month and those ahead a single
-- event is enough, as it keeps the month from getting its partition.
CREATE OR REPLACE FUNCTION crowded_event_times(months_ahead integer, fewest integer DEFAULT 1000)
RETURNS TABLE (begins timestamptz, ends timestamptz, is_month boolean)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
    this_month CONSTANT timestamptz := date_trunc('month', now());
    last_month CONSTANT timestamptz := this_month + make_interval(months => months_ahead);
    first_time timestamptz := min(event_time) FROM public.lineage_events_default;
    enough integer;
BEGIN
    WHILE first_time IS NOT NULL LOOP
        is_month := first_time >= '1970-01-01' AND first_time < '2100-01-01';
        IF is_month THEN
            begins := date_trunc('month', first_time);
            ends := begins + interval '1 month';
        ELSE
            begins := CASE WHEN first_time < '1970-01-01' THEN '-infinity' ELSE '2100-01-01' END;
            ends := CASE WHEN first_time < '1970-01-01' THEN '1970-01-01' ELSE 'infinity' END;
        END IF;
        enough := CASE WHEN begins BETWEEN this_month AND last_month THEN 1 ELSE fewest END;
        IF (
            SELECT count(*) >= enough
            FROM (
                SELECT FROM public.lineage_events_default WHERE event_time >= begins AND event_time < ends LIMIT enough
            ) AS counted
        ) THEN
            RETURN NEXT;
        END IF;
        first_time := min(event_time) FROM public.lineage_events_default WHERE event_time >= ends AND event_time < 'infinity';
    END LOOP;
END
$$;

-- name: functions/move_events
-- One step of emptying the default partition of lineage_events: moves events of a span of time, at most so many and so many
-- bytes, or one that is larger, to the partitions for moved events. Returns how many; 0 also where there is no partition for
-- them. Each row moves as an update moves it, with its arrival marks: whoever reads meanwhile finds it once, and no one waits
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

-- name: access/functions
-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION
    public.create_event_partition, public.attach_event_partition, public.move_events, public.crowded_event_times,
    public.guard_event_partitions
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    public.create_event_partition, public.attach_event_partition, public.move_events, public.crowded_event_times,
    public.guard_event_partitions
TO lineage_jobs;
GRANT EXECUTE ON FUNCTION public.crowded_event_times TO lineage_reader;
