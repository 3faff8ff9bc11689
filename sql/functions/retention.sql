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
-- An open run keeps its newest event, by which it can be told, with what it stated at the same time: the last of those that were
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
