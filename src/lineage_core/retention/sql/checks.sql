-- name: checks/unfinished_archives
-- Applications that have begun an archive of raw events and never finished, while nobody archives and no later one below the same
-- URL has finished: what they have left there takes room.
SELECT format(
    'An application of retention of %s has left unfinished folders below %s',
    to_char(began.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), began.archive
)
FROM (
    SELECT DISTINCT ON (archive COLLATE "C") id, archive, started_at
    FROM retention_reports
    WHERE archive IS NOT NULL AND finished_at IS NULL
    ORDER BY archive COLLATE "C", id DESC
) AS began
WHERE NOT EXISTS (
    SELECT
    FROM retention_reports AS later
    WHERE later.archive = began.archive AND later.id > began.id AND later.finished_at IS NOT NULL
)
AND NOT EXISTS (
    SELECT
    FROM pg_locks
    WHERE locktype = 'advisory'
      AND objsubid = 1
      AND (classid::bigint << 32 | objid::bigint) = 5411769100238117021
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
ORDER BY began.archive COLLATE "C"

-- name: checks/unfinished_retention
-- The last application of retention, if it began more than a day ago and has not finished.
SELECT format('Retention has not finished since %s', to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
FROM (SELECT started_at, finished_at FROM retention_reports ORDER BY id DESC LIMIT 1) AS last
WHERE finished_at IS NULL AND started_at < now() - interval '1 day'
