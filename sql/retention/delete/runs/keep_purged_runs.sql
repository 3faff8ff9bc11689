-- The runs of a chunk are remembered for a while, counted from the time up to which runs go if that lies in the future.
INSERT INTO retention_purged_runs (uuid, purged_at)
SELECT uuid, greatest(now(), (SELECT max(before) FROM cutoffs WHERE kind = 'runs'))
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
ON CONFLICT (uuid) DO UPDATE SET purged_at = excluded.purged_at
