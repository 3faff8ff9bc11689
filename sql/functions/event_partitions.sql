-- The partitions of lineage_events, which the jobs may not change themselves.

-- name: event_partitions
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

-- name: known_event_partitions
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

-- name: guard_event_partitions
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

-- name: create_event_partition
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

-- name: attach_event_partition
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

-- name: crowded_event_times
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

-- name: move_events
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

-- name: drop_event_partition
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

-- name: delete_archived_events
-- Deletes raw events that are archived, given by their arrival; how many. Who may call it may delete nothing that is not
-- normalized, or that is under a legal hold now, whatever was so when it was archived. The settings keep to the index: a batch is
-- little beside the table, which old statistics may not tell.
CREATE OR REPLACE FUNCTION delete_archived_events(arrived_xids bigint[], arrival_seqs bigint[], event_times timestamptz[])
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = off
SET enable_hashjoin = off
SET enable_mergejoin = off
AS $$
DECLARE
    deleted integer;
    first_time CONSTANT timestamptz := min(given) FROM unnest(event_times) AS given;
    last_time CONSTANT timestamptz := max(given) FROM unnest(event_times) AS given;
BEGIN
    -- As in move_events: Postgres fails whoever waits for a row that then moves to another partition.
    PERFORM pg_advisory_xact_lock(5411769100238117002);
    PERFORM public.keep_holds();
    WITH held AS MATERIALIZED (
        SELECT uuid, range_agg(tstzrange(events_since, events_until)) AS times
        FROM held_runs(
            ARRAY(
                SELECT event.run_uuid
                FROM unnest(arrived_xids, arrival_seqs, event_times) AS archived (arrived_xid, arrival_seq, event_time)
                JOIN lineage_events AS event USING (arrived_xid, arrival_seq, event_time)
                WHERE event.event_time BETWEEN first_time AND last_time
                  AND event.run_uuid IS NOT NULL
                  AND EXISTS (SELECT FROM retention_holds_in_force)
            )
        )
        GROUP BY uuid
    ), gone AS (
        DELETE FROM lineage_events AS event
        USING unnest(arrived_xids, arrival_seqs, event_times) AS archived (arrived_xid, arrival_seq, event_time), watermarks AS mark
        WHERE event.arrived_xid = archived.arrived_xid
          AND event.arrival_seq = archived.arrival_seq
          AND event.event_time = archived.event_time
          AND event.event_time BETWEEN first_time AND last_time
          AND mark.name = 'normalize'
          AND is_passed(event.arrived_xid, event.arrival_seq, mark.done, mark.target, mark.cursor_xid, mark.cursor_seq)
          AND event.tableoid = ANY ((SELECT known_event_partitions())::oid[])
          AND NOT EXISTS (SELECT FROM held WHERE held.uuid = event.run_uuid AND held.times @> event.event_time)
          AND NOT (
              EXISTS (SELECT FROM retention_holds_in_force)
              AND is_held(
                  event.event_time, namespace_of_raw_event(event._event_type, event.job_namespace, event.event), event.job_name,
                  event.run_uuid, event.event, (SELECT held_names())
              )
          )
        RETURNING event.event_time
    ), noted AS (
        INSERT INTO archived_event_months AS known (month, events)
        SELECT date_trunc('month', event_time, 'UTC'), count(*) FROM gone GROUP BY 1
        ON CONFLICT (month) DO UPDATE SET events = known.events + excluded.events, last_at = now()
    )
    SELECT count(*) FROM gone INTO deleted;
    RETURN deleted;
END
$$;

-- name: restore_events
-- Puts archived events back as they came: document, time and receipt. Each gets a new arrival number, so normalization finds it.
-- All are noted as restored under a hold, also those that are there. `copies` says the how many-eth of equal ones each is: one that
-- is still there, or again, is not doubled. How many came back.
CREATE OR REPLACE FUNCTION restore_events(
    hold bigint, events text[], event_times timestamptz[], created_ats timestamptz[], copies integer[]
)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    restored integer;
BEGIN
    PERFORM pg_advisory_xact_lock(5411769100238117003);  -- one at a time, so that no two put back the same event
    IF NOT EXISTS (SELECT FROM retention_holds_in_force AS held WHERE held.id = hold AND held.manifest IS NOT NULL) THEN
        RAISE EXCEPTION 'hold % is not in force, or is not about restored events', hold USING ERRCODE = 'invalid_parameter_value';
    END IF;
    DELETE FROM retention_restored_events AS restored
    USING retention_hold_releases AS released
    WHERE released.hold = restored.hold;
    INSERT INTO retention_restored_events (identity, hold)
    SELECT event_identity(given.event::jsonb, given.event_time), hold
    FROM unnest(events, event_times) AS given (event, event_time)
    ON CONFLICT DO NOTHING;
    INSERT INTO lineage_events (event_time, event, created_at)
    SELECT archived.event_time, archived.event, archived.created_at
    FROM (
        SELECT given.event::jsonb, given.event_time, given.created_at, given.copy, place
        FROM unnest(events, event_times, created_ats, copies)
            WITH ORDINALITY AS given (event, event_time, created_at, copy, place)
        OFFSET 0  -- each text is parsed once, not at each of its uses below
    ) AS archived
    WHERE (
        SELECT count(*)
        FROM lineage_events AS stored
        WHERE stored.event_time = archived.event_time
          AND stored.created_at IS NOT DISTINCT FROM archived.created_at
          AND stored.event_bytes = octet_length(archived.event::text)
          AND stored.event::text = archived.event::text  -- 1.0 and 1.00 are equal as values, and two events
    ) < archived.copy
    ORDER BY archived.place;
    GET DIAGNOSTICS restored = ROW_COUNT;
    RETURN restored;
END
$$;

-- name: refresh_hourly_counts
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
