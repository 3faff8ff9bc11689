-- What waits, up to some number of events; the first arrival among them.
WITH waiting AS (
    SELECT arrived_xid, arrival_seq, event_bytes FROM waiting_events LIMIT %(most)s
)
SELECT
    count(*) AS events,
    coalesce(sum(waiting.event_bytes), 0)::bigint AS bytes,
    min(stored.created_at) AS since,
    count(*) >= %(most)s AS is_more
FROM waiting
JOIN lineage_events AS stored USING (arrived_xid, arrival_seq)
