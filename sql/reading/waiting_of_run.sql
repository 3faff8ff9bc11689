-- The events of a run that are not normalized, each once, in the order of reading.
SELECT
    arrived_xid AS xid,
    arrival_seq AS seq,
    is_ahead,
    microseconds(event_time) AS time,
    rank,
    CASE
        WHEN pg_column_size(event) <= %(small)s AND event_bytes <= %(short)s THEN convert_to(event::text, 'UTF8')
    END AS text
FROM (
    SELECT *
    FROM (
        SELECT DISTINCT ON (identity)
            arrived_xid, arrival_seq, is_ahead, event_time, event, event_bytes, identity,
            lifecycle_rank(lineage_event_type) AS rank
        FROM waiting_events
        WHERE run_uuid = %(uuid)s AND kind = 'RUN_EVENT'
        ORDER BY identity, is_ahead
    ) AS waiting
    ORDER BY event_time, rank, identity
    OFFSET 0
) AS in_order
