-- The last applications of retention, the newest first.
SELECT id, as_of, plan, deleted, applied_by, started_at, finished_at
FROM retention_reports
ORDER BY id DESC
LIMIT %(most)s
