-- The raw events of a span of event time that lie before the cut-off of their namespace, each with what keeps it all the same:
-- `kept_by` is null where nothing does. Plain SQL, so that the planner takes it into the statement that calls it; so tables are
-- named with their schema, whatever the path.
--
-- An open run keeps its newest event, by which it can be told, with what it said at the same time: the last of those that were
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
                        said.arrived_xid, said.arrival_seq,
                        rank() OVER (PARTITION BY said.run_uuid ORDER BY said.is_ahead, said.event_time DESC) AS place
                    FROM public.runs
                    JOIN public.lineage_events AS said ON said.run_uuid = runs.uuid
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
