-- name: status/arrivals
-- How many events have arrived lately, whenever they happened. No index has the times of receipt, but these grow with the numbers
-- of arrival: the number from which on to count is found by halving.
WITH RECURSIVE search (lowest, behind) AS (
    SELECT min(arrived_xid), max(arrived_xid) + 1 FROM lineage_events
    UNION ALL
    SELECT
        CASE WHEN probe.is_before THEN half.middle + 1 ELSE search.lowest END,
        CASE WHEN probe.is_before THEN search.behind ELSE half.middle END
    FROM search
    CROSS JOIN LATERAL (SELECT (search.lowest + search.behind) / 2) AS half (middle)
    CROSS JOIN LATERAL (
        SELECT created_at < now() - interval '1 day'
        FROM lineage_events
        WHERE arrived_xid >= half.middle
        ORDER BY arrived_xid, arrival_seq
        LIMIT 1
    ) AS probe (is_before)
    WHERE search.lowest < search.behind
)
SELECT
    count(*) FILTER (WHERE created_at >= now() - interval '1 hour') AS last_hour,
    count(*) AS last_day
FROM lineage_events
WHERE arrived_xid >= (SELECT max(lowest) FROM search) AND created_at >= now() - interval '1 day'

-- name: months
-- This month, and so many ahead: the beginning of each, in UTC.
SELECT ((this_month + make_interval(months => ahead)) AT TIME ZONE 'UTC')::text
FROM date_trunc('month', now() AT TIME ZONE 'UTC') AS this_month, generate_series(0, %(ahead)s) AS ahead

-- name: crowded_times
-- Spans of time of which the default partition has too many events.
SELECT begins::text, ends::text, is_month FROM crowded_event_times(%(months_ahead)s)

-- name: move_events
-- Moves some events of a span of time out of the default partition; how many.
SELECT move_events(%(begins)s, %(ends)s)

-- name: create_partition
-- Makes the partition of a month, which is not attached yet; its name, or null if it is there already.
SELECT create_event_partition(%(month)s, %(is_moved)s)

-- name: attach_partition
-- Attaches the partition of a month; whether that could be done.
SELECT attach_event_partition(%(month)s, %(is_moved)s)

-- name: quarantined
-- The numbers of all documents in quarantine, in order.
SELECT id FROM quarantine ORDER BY id

-- name: take_in_again
-- Makes a document of the quarantine an event; false if the database reads another time in it.
SELECT take_in_document(%(id)s, %(event_time)s)

-- name: refuse_again
-- Writes why a document is still refused.
SELECT refuse_document_again(%(id)s, %(reason)s, %(path)s)

-- name: lock_quarantined
-- A document in quarantine, which no one else may try again until the transaction ends.
SELECT raw, source FROM lock_document(%(id)s)
