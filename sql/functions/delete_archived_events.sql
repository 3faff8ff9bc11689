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
