-- Text and verdict of the events of one part, by the same choice as waiting_by_arrival.sql.
SELECT convert_to(event::text, 'UTF8'), is_ahead
FROM (
    SELECT arrived_xid, arrival_seq, event, is_ahead
    FROM lineage_events
    WHERE arrived_xid = ANY (ARRAY(SELECT pg_snapshot_xip(%(done)s::pg_snapshot)::text::bigint))
      AND (arrived_xid, arrival_seq) > (%(after_first)s, %(after_second)s)
    UNION ALL
    SELECT arrived_xid, arrival_seq, event, is_ahead
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
WHERE pg_visible_in_snapshot(arrived_xid::text::xid8, %(target)s::pg_snapshot)
  AND (arrived_xid, arrival_seq) <= (%(until_first)s, %(until_second)s)
