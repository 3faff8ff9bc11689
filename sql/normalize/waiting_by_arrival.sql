-- Events that the target snapshot sees and the snapshot of what is done does not, behind a place, in order of arrival.
-- Those of transactions that were open at the last run are looked up one by one: one left open for long delays nothing.
SELECT arrived_xid AS first, arrival_seq AS second, event_bytes AS size
FROM (
    SELECT arrived_xid, arrival_seq, event_bytes
    FROM lineage_events
    WHERE arrived_xid = ANY (ARRAY(SELECT pg_snapshot_xip(%(done)s::pg_snapshot)::text::bigint))
      AND (arrived_xid, arrival_seq) > (%(after_first)s, %(after_second)s)
    UNION ALL
    SELECT arrived_xid, arrival_seq, event_bytes
    FROM lineage_events
    -- One bound, not two: an index scan begins at one of them, and not always at the higher.
    WHERE (arrived_xid, arrival_seq) > (
        greatest((%(after_first)s)::bigint, pg_snapshot_xmax(%(done)s::pg_snapshot)::text::bigint - 1),
        CASE
            WHEN (%(after_first)s)::bigint >= pg_snapshot_xmax(%(done)s::pg_snapshot)::text::bigint THEN (%(after_second)s)::bigint
            ELSE 9223372036854775807
        END
    )
) AS unseen
WHERE arrived_xid < pg_snapshot_xmax(%(target)s::pg_snapshot)::text::bigint
  AND pg_visible_in_snapshot(arrived_xid::text::xid8, %(target)s::pg_snapshot)
ORDER BY arrived_xid, arrival_seq
