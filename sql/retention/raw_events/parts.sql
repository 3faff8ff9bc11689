-- Where each part of an event archive begins: raw events that nothing keeps, in order, until their texts make so many bytes.
SELECT month, microseconds(event_time) AS happened, arrived_xid, arrival_seq
FROM (
    SELECT *, part IS DISTINCT FROM lag(part) OVER (PARTITION BY month ORDER BY event_time, arrived_xid, arrival_seq) AS begins
    FROM (
        SELECT
            *,
            div(
                sum(event_bytes) OVER (PARTITION BY month ORDER BY event_time, arrived_xid, arrival_seq) - event_bytes,
                %(part_bytes)s
            ) AS part
        FROM (
            SELECT
                event_time, arrived_xid, arrival_seq, event_bytes::bigint,
                CASE
                    WHEN event_time >= '1970-01-01 00:00:00+00' THEN to_char(event_time AT TIME ZONE 'UTC', 'YYYY-MM')
                    ELSE 'before-1970'
                END AS month
            FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
            WHERE kept_by IS NULL
              AND is_planned(%(plan)s, arrival_seq)
        ) AS dated
    ) AS summed
) AS compared
WHERE begins
ORDER BY month COLLATE "C", event_time, arrived_xid, arrival_seq
