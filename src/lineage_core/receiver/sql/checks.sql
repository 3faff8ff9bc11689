-- name: checks/expiring_tokens
-- Tokens in use that expire within a week, or have within the last one. One that nobody used lately is nobody's matter.
SELECT format('The token %s expires at %s, and was used last on %s', name, expires_at, last_used_on)
FROM receiver_tokens
WHERE revoked_at IS NULL
  AND expires_at BETWEEN now() - interval '7 days' AND now() + interval '7 days'
  AND last_used_on >= (now() - interval '30 days')::date
ORDER BY expires_at, id

-- name: checks/refused_documents
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

-- name: checks/silent_receivers
-- Processes that reported within the last day, not within five minutes, did not end as asked, and were not followed by another
-- on their machine.
SELECT format(
    'The receiver %s on %s has not reported since %s UTC',
    process, host, to_char(reported_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')
)
FROM receiver_processes AS silent
WHERE ended_at IS NULL
  AND reported_at < now() - interval '5 minutes'
  AND reported_at > now() - interval '1 day'
  AND NOT EXISTS (
      SELECT FROM receiver_processes AS next WHERE next.host = silent.host AND next.started_at > silent.reported_at
  )
ORDER BY reported_at, id
