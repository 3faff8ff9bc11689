-- Reasons for which ten documents or more were refused since the last full hour began, twice as many as in two hours of the day
-- before on average.
SELECT format(
    '%s documents were refused over HTTP since %s UTC with status %s', sum(documents) FILTER (WHERE is_now),
    to_char(min(since) AT TIME ZONE 'UTC', 'HH24:MI'), outcome
)
FROM (
    SELECT *, hour >= since AS is_now
    FROM receiver_hours, (SELECT date_trunc('hour', now(), 'UTC') - interval '1 hour' AS since) AS hours
    WHERE hour >= since - interval '1 day' AND outcome NOT IN ('accepted', 'spooled')
) AS refused
GROUP BY outcome
HAVING sum(documents) FILTER (WHERE is_now) >= 10
   AND sum(documents) FILTER (WHERE is_now) > 2 * coalesce(sum(documents) FILTER (WHERE NOT is_now), 0) / 12
ORDER BY outcome COLLATE "C"
