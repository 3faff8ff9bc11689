-- The last application of retention, if it began more than a day ago and has not finished.
SELECT format('Retention has not finished since %s', to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
FROM (SELECT started_at, finished_at FROM retention_reports ORDER BY id DESC LIMIT 1) AS last
WHERE finished_at IS NULL AND started_at < now() - interval '1 day'
