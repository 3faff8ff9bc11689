-- How much waits, up to some number of events.
SELECT
    count(*) AS events,
    coalesce(sum(event_bytes), 0)::bigint AS bytes,
    count(*) >= %(most)s AS is_more
FROM (SELECT event_bytes FROM waiting_events LIMIT %(most)s) AS waiting
