-- How many events have arrived lately, of those that happened lately.
SELECT
    count(*) FILTER (WHERE created_at >= now() - interval '1 hour') AS last_hour,
    count(*) AS last_day
FROM lineage_events
WHERE event_time >= now() - interval '1 day' AND created_at >= now() - interval '1 day'
