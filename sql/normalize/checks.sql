-- name: checks/open_runs
-- Namespaces with runs that began between a day and a week ago and never ended, though a later run of the same job has.
SELECT format(
    '%s runs of the last week in the namespace %s never ended, though later ones of their jobs did, such as %s of %s',
    count(*), namespace_name, min(external_id COLLATE "C"), min(job_name COLLATE "C")
)
FROM runs
WHERE created_at BETWEEN now() - interval '7 days' AND now() - interval '1 day'
  AND started_at IS NOT NULL
  AND ended_at IS NULL
  AND EXISTS (
      SELECT FROM runs AS later
      WHERE later.job_uuid = runs.job_uuid AND later.started_at > runs.started_at AND later.ended_at IS NOT NULL
  )
GROUP BY namespace_name
ORDER BY namespace_name COLLATE "C"
