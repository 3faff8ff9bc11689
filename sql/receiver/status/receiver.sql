-- What came over HTTP since the last full hour began, and how many processes receive.
SELECT
    (
        SELECT count(*)
        FROM receiver_processes
        WHERE ended_at IS NULL AND reported_at > now() - interval '5 minutes'
    ) AS processes,
    coalesce(sum(documents) FILTER (WHERE outcome IN ('accepted', 'spooled')), 0)::bigint AS accepted,
    coalesce(sum(documents) FILTER (WHERE outcome NOT IN ('accepted', 'spooled')), 0)::bigint AS refused,
    (sum(microseconds) FILTER (WHERE outcome = 'accepted') / sum(requests) FILTER (WHERE outcome = 'accepted'))::bigint
        AS mean_microseconds,
    max(longest) FILTER (WHERE outcome = 'accepted') AS longest_microseconds
FROM receiver_hours
WHERE hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'
