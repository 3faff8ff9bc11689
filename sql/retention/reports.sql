-- The last applications of retention, the newest first.
SELECT id, as_of, plan, archive, deleted, stayed, applied_by, started_at, finished_at
FROM retention_reports
ORDER BY id DESC
LIMIT %(most)s
