-- name: facets/forget
-- Nothing is kept, so nothing has to be forgotten.
SELECT;

-- name: facets/session
-- A worker keeps nothing: the events are taken in by the main job's own code.
SELECT;

-- name: facets/step
-- The next raw events by event time: the last time among them, how many there are, how many of these the tables do not hold
-- yet, and the microseconds from which on and before which they lie. Events of one time go together.
SELECT
    max(event_time)::text AS last,
    count(*) AS looked_at,
    count(*) FILTER (
        WHERE NOT EXISTS (
            SELECT
            FROM event_ledger
            WHERE event_order = ANY (ARRAY[event_order(identity, false), event_order(identity, true)])
        )
    ) AS waiting,
    microseconds(%(after)s::timestamptz) + 1 AS since,
    microseconds(max(event_time)) + 1 AS until
FROM (
    SELECT event_time, event_identity(event, event_time) AS identity
    FROM lineage_events
    WHERE (%(after)s::timestamptz IS NULL OR event_time > %(after)s::timestamptz)
      AND event_time <= %(until)s::timestamptz
    ORDER BY event_time
    FETCH FIRST %(rows)s ROWS WITH TIES
) AS chosen;

-- name: facets/tidy
-- It leaves nothing behind.
SELECT NULL::text AS last, 0 AS removed;
