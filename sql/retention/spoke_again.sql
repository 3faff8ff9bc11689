-- Runs that were deleted and are there again, the last ones first: they have spoken since. What was restored is from behind the
-- horizon.
SELECT run.uuid, run.namespace_name AS namespace, run.job_name AS job, run.created_at, purged.purged_at
FROM retention_purged_runs AS purged
JOIN runs AS run USING (uuid)
LEFT JOIN retention_horizons AS horizon ON (horizon.kind, horizon.namespace) = ('runs', run.namespace_name)
WHERE run.created_at >= coalesce(horizon.before, '-infinity')
ORDER BY run.created_at DESC, run.uuid
LIMIT %(most)s
