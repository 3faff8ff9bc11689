-- What policies, horizons and plans of retention mean.

-- name: namespace_fits
-- Whether a formatted namespace is one of those that a pattern means, however the pattern spells it; `*` stands for any characters,
-- and for none. Agrees with lineage_core.retention.policies.matches.
CREATE OR REPLACE FUNCTION namespace_fits(pattern text, formatted text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN formatted COLLATE "C" LIKE replace(
    replace(regexp_replace(pattern COLLATE "C", '[^-a-zA-Z0-9:/_.@+*]', '_', 'g'), '_', '!_'), '*', '%'
) ESCAPE '!';

-- name: namespace_of_raw_event
-- The namespace by which policies of retention judge a raw event: of its job, or of the dataset of an event about one alone, as
-- the tables hold it. Empty where it has none, as what is in quarantine may.
CREATE OR REPLACE FUNCTION namespace_of_raw_event(kind text, job_namespace text, event jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN formatted_namespace(
    coalesce(CASE WHEN kind = 'DATASET_EVENT' THEN event #>> '{dataset,namespace}' ELSE job_namespace END, '')
);

-- name: judged_raw_events
-- The raw events of a span of event time that lie before the cut-off of their namespace, each with what keeps it all the same:
-- `kept_by` is null where nothing does. Plain SQL, so that the planner takes it into the statement that calls it; so tables are
-- named with their schema, whatever the path.
--
-- An open run keeps its newest event, by which it can be known, with what it stated at the same time: the last of those that were
-- not ahead of their receipt. They are looked up in a list that is made once, not joined, whatever the planner takes for many.
--
-- What holds are about is found once, by the tables: runs are joined, and names are looked up.
CREATE OR REPLACE FUNCTION judged_raw_events(
    namespaces text[], befores timestamptz[], since timestamptz, until timestamptz
)
RETURNS TABLE (
    event_time timestamptz, event jsonb, event_type text, job_name text, job_namespace text, producer text, run_uuid uuid,
    created_at timestamptz, _event_type text, event_bytes integer, is_ahead boolean, arrived_xid bigint, arrival_seq bigint,
    is_moved boolean, kept_by text
)
LANGUAGE sql STABLE
AS $$
    SELECT
        old.event_time, old.event, old.event_type, old.job_name, old.job_namespace, old.producer, old.run_uuid,
        old.created_at, old._event_type::text, old.event_bytes, old.is_ahead, old.arrived_xid, old.arrival_seq, old.is_moved,
        CASE
            WHEN NOT public.is_passed(
                    old.arrived_xid, old.arrival_seq, mark.done, mark.target, mark.cursor_xid, mark.cursor_seq
                )
                OR old.partition <> ALL ((SELECT public.known_event_partitions())::oid[])
            THEN 'waiting'
            WHEN (old.arrived_xid, old.arrival_seq) IN (
                SELECT ranked.arrived_xid, ranked.arrival_seq
                FROM (
                    SELECT
                        stated.arrived_xid, stated.arrival_seq,
                        rank() OVER (PARTITION BY stated.run_uuid ORDER BY stated.is_ahead, stated.event_time DESC) AS place
                    FROM public.runs
                    JOIN public.lineage_events AS stated ON stated.run_uuid = runs.uuid
                    WHERE runs.first_event IS NOT NULL AND runs.end_run_state_uuid IS NULL
                ) AS ranked
                WHERE ranked.place = 1
            )
            THEN 'open run'
            WHEN held.times @> old.event_time
                OR (
                    EXISTS (SELECT FROM public.retention_holds_in_force)
                    AND public.is_held(
                        old.event_time, old.namespace, old.job_name, old.run_uuid, old.event, (SELECT public.held_names())
                    )
                )
            THEN 'legal hold'
        END
    FROM (
        SELECT
            stored.*, stored.tableoid AS partition,
            public.namespace_of_raw_event(stored._event_type, stored.job_namespace, stored.event) AS namespace
        FROM public.lineage_events AS stored
        WHERE stored.event_time >= since AND stored.event_time < until
    ) AS old
    JOIN unnest(namespaces, befores) AS cutoff (namespace, before)
        ON cutoff.namespace = old.namespace AND old.event_time < cutoff.before
    LEFT JOIN (
        SELECT uuid, range_agg(tstzrange(events_since, events_until)) AS times FROM public.held_runs(NULL) GROUP BY uuid
    ) AS held ON held.uuid = old.run_uuid
    LEFT JOIN public.watermarks AS mark ON mark.name = 'normalize'
$$;

-- name: is_behind_horizon
-- Whether retention has deleted what happened at the time of an event: runs in the namespace of its job, or versions in that of a
-- dataset that it names, by whichever of its names. Restored events are not, while they are held.
CREATE OR REPLACE FUNCTION is_behind_horizon(event jsonb, event_time timestamptz) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT event_time < (SELECT max(before) FROM public.retention_horizons)
    AND EXISTS (
        SELECT
        FROM public.retention_horizons AS horizon
        WHERE event_time < horizon.before
          AND (horizon.kind, horizon.namespace) IN (
              SELECT 'runs', public.formatted_namespace(event #>> '{job,namespace}')
              WHERE public.event_kind(event) <> 'DATASET_EVENT'
              UNION ALL
              SELECT 'versions', stated.namespace
              FROM public.datasets_of_raw_event(event) AS stated
              UNION ALL
              SELECT 'versions', dataset.namespace_name
              FROM public.datasets_of_raw_event(event) AS stated
              JOIN public.namespaces AS named ON named.name = stated.namespace
              JOIN public.dataset_symlinks AS symlink ON symlink.namespace_uuid = named.uuid AND symlink.name = stated.name
              JOIN public.datasets AS dataset ON dataset.uuid = symlink.dataset_uuid
          )
    )
    AND NOT public.is_restored(event, event_time)
$$;

-- name: is_planned
-- Whether a plan of retention has a raw event, by the number of its arrival; each event is, where there is no plan.
CREATE OR REPLACE FUNCTION is_planned(plan bigint, arrival_seq bigint) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    RETURN plan IS NULL OR coalesce(
        (
            SELECT span.last_seq
            FROM retention_plan_events AS span
            WHERE span.plan = is_planned.plan AND span.first_seq <= is_planned.arrival_seq
            ORDER BY span.first_seq DESC
            LIMIT 1
        ) >= arrival_seq,
        false
    );
END
$$;

-- name: is_restored
-- Whether an event was restored out of an archive, and the hold that came with it is in force. Where there is no such hold nothing is
-- looked at.
CREATE OR REPLACE FUNCTION is_restored(event jsonb, event_time timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM retention_holds_in_force WHERE manifest IS NOT NULL) THEN
        RETURN false;
    END IF;
    RETURN EXISTS (
        SELECT
        FROM retention_restored_events AS restored
        JOIN retention_holds_in_force AS held ON held.id = restored.hold
        WHERE restored.identity = event_identity(event, event_time)
    );
END
$$;

-- name: drop_event_partition
-- Drops a partition of lineage_events that holds archived events and nothing else. False if that cannot be now: the caller then
-- rolls back, and deletes rows instead. A partition of this month or a later one stays, as what arrives goes there.
--
-- `rows` and `digest` are of the archived events in it; they are compared with what it holds. No one may be inside the table when
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
