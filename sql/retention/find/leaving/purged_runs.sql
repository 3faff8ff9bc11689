-- Runs that were deleted, and need not be remembered any more.

-- leaving_purged_runs: those that went before the oldest cutoff of runs.
CREATE TEMP TABLE leaving_purged_runs AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM retention_purged_runs
WHERE purged_at < (SELECT min(before) FROM cutoffs WHERE kind = 'runs' AND NOT is_emptied);
