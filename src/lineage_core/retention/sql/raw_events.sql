-- name: raw_events/namespaces
-- The namespaces of raw events.
SELECT DISTINCT namespace_of_raw_event(_event_type, job_namespace, event) AS namespace
FROM lineage_events

-- name: raw_events/earlier_applications
-- The moments of all other applications of retention: each has named a folder of an archive.
SELECT DISTINCT as_of FROM retention_reports WHERE as_of <> %(as_of)s ORDER BY as_of

-- name: raw_events/planned
-- How many raw events lie before their cut-off, and their bytes as they are stored, by what keeps them; null is nothing. Those from
-- ahead of the moment are named, too.
SELECT kept_by, count(*) AS rows, sum(pg_column_size(event)) AS bytes
FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
GROUP BY kept_by
UNION ALL
SELECT 'in the future', count(*), 0
FROM lineage_events
WHERE event_time >= %(as_of)s
  AND namespace_of_raw_event(_event_type, job_namespace, event) = ANY (%(namespaces)s::text[])
HAVING count(*) > 0

-- name: raw_events/parts
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

-- name: raw_events/part
-- The raw events of one part of an event archive that nothing keeps, in order: the text, and what arrival has stated.
SELECT
    convert_to(event::text, 'UTF8'),
    jsonb_build_object(
        'event_time', microseconds(event_time), 'event_type', event_type, 'job_name', job_name, 'job_namespace', job_namespace,
        'producer', producer, 'run_uuid', run_uuid, 'created_at', microseconds(created_at), '_event_type', _event_type,
        'event_bytes', event_bytes, 'is_ahead', is_ahead, 'arrived_xid', arrived_xid, 'arrival_seq', arrival_seq,
        'is_moved', is_moved
    )::text
FROM (
    SELECT *
    FROM judged_raw_events(
        %(namespaces)s::text[], %(befores)s::timestamptz[], instant(%(since)s), instant(%(until)s + 1)
    )
    WHERE kept_by IS NULL
      AND is_planned(%(plan)s, arrival_seq)
      AND (event_time, arrived_xid, arrival_seq) >= (instant(%(since)s), %(since_xid)s, %(since_seq)s)
      AND (event_time, arrived_xid, arrival_seq) < (instant(%(until)s), %(until_xid)s, %(until_seq)s)
    ORDER BY event_time, arrived_xid, arrival_seq
) AS archived

-- name: raw_events/stored
-- Which of some raw events are stored: partition, and the digest of all that an archive has of each.
SELECT
    event.arrived_xid, event.arrival_seq, event.tableoid::regclass::text AS partition,
    hashint8extended(event.arrived_xid, event.arrival_seq) AS number_digest,
    sha256(
        convert_to(
            concat_ws(
                chr(10),
                microseconds(event.event_time), coalesce(microseconds(event.created_at)::text, '-'), event.is_ahead,
                event.arrived_xid, event.arrival_seq, event.event
            ),
            'UTF8'
        )
    ) AS digest
FROM unnest(%(arrived_xids)s::bigint[], %(arrival_seqs)s::bigint[], %(event_times)s::bigint[])
    AS archived (arrived_xid, arrival_seq, event_time)
JOIN lineage_events AS event
    ON event.arrived_xid = archived.arrived_xid
    AND event.arrival_seq = archived.arrival_seq
    AND event.event_time = instant(archived.event_time)
WHERE event.event_time >= instant(%(first)s) AND event.event_time < instant(%(last)s + 1)

-- name: raw_events/delete
-- Deletes archived raw events; how many.
SELECT delete_archived_events(
    %(arrived_xids)s, %(arrival_seqs)s, ARRAY(SELECT instant(given) FROM unnest(%(event_times)s::bigint[]) AS given)
)

-- name: raw_events/drop_partition
-- Drops a partition that holds archived raw events and nothing else. False if it does not, or that cannot be now.
SELECT drop_event_partition(%(partition)s, %(rows)s, %(digest)s)

-- name: raw_events/restore
-- Puts archived raw events back; how many were not there.
SELECT restore_events(%(hold)s, %(events)b, %(event_times)s::timestamptz[], %(created_ats)s::timestamptz[], %(copies)s)
