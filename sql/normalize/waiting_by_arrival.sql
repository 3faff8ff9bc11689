-- Events that the target snapshot sees and the snapshot of what is done does not, behind a place, in order of arrival.
-- Those of transactions that were open at the last run are looked up one by one: one left open for long delays nothing.
SELECT arrived_xid, arrival_seq, event_bytes
FROM (
    SELECT arrived_xid, arrival_seq, event_bytes
    FROM lineage_events
    WHERE arrived_xid IN (SELECT pg_snapshot_xip(%(done)s::pg_snapshot)::text::bigint)
    UNION ALL
    SELECT arrived_xid, arrival_seq, event_bytes
    FROM lineage_events
    WHERE arrived_xid >= pg_snapshot_xmax(%(done)s::pg_snapshot)::text::bigint
) AS unseen
WHERE arrived_xid < pg_snapshot_xmax(%(target)s::pg_snapshot)::text::bigint
  AND pg_visible_in_snapshot(arrived_xid::text::xid8, %(target)s::pg_snapshot)
  AND (arrived_xid, arrival_seq) > (%(after_first)s, %(after_second)s)
ORDER BY arrived_xid, arrival_seq
