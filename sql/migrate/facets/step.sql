-- The next raw events by event time: the last time among them, and how many there are. Events of one time go together; what the
-- tables hold already changes nothing (law 1).
SELECT max(event_time)::text, count(*), 0
FROM (
    SELECT event_time
    FROM lineage_events
    WHERE (%(after)s::timestamptz IS NULL OR event_time > %(after)s::timestamptz)
      AND event_time <= %(until)s::timestamptz
    ORDER BY event_time
    LIMIT %(rows)s
) AS chosen;
