-- When the first of what waits arrived. Events are looked at one by one in the order of their arrival, until one waits: so only
-- keys are sorted, and not the events, however many wait. All below the beginning of the snapshot is done.
SELECT stored.created_at
FROM (
    SELECT arrived_xid, arrival_seq, created_at
    FROM lineage_events
    WHERE arrived_xid >= coalesce(
        (SELECT pg_snapshot_xmin(done)::text::bigint FROM watermarks WHERE name = 'normalize'), 0
    )
    ORDER BY arrived_xid, arrival_seq
) AS stored
CROSS JOIN LATERAL (
    SELECT
    FROM waiting_events
    WHERE arrived_xid = stored.arrived_xid AND arrival_seq = stored.arrival_seq
    LIMIT 1
) AS waiting
LIMIT 1
