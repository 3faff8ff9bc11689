-- The legal hold in force that keeps the events of an archive, where it was restored before.
SELECT id
FROM retention_holds_in_force
WHERE why = %(why)s
  AND namespace_pattern = '*'
  AND num_nonnulls(dataset, job, run) = 0
  AND events_since IS NOT DISTINCT FROM %(events_since)s
  AND events_until IS NOT DISTINCT FROM %(events_until)s
ORDER BY id
LIMIT 1
