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
