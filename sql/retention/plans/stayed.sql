-- Why some of what was planned to go is still there, when nothing more goes.
SELECT reason, count(*) AS rows
FROM (
    SELECT coalesce(old.stays, 'heard of again') AS reason
    FROM approved
    JOIN runs USING (uuid)
    LEFT JOIN old_runs AS old USING (uuid)
    WHERE kind = 'runs'
    UNION ALL
    SELECT coalesce(old.stays, 'heard of again')
    FROM approved
    JOIN job_versions USING (uuid)
    LEFT JOIN old_job_versions AS old USING (uuid)
    WHERE kind = 'job_versions'
    UNION ALL
    SELECT coalesce(old.stays, 'heard of again')
    FROM approved
    JOIN dataset_versions USING (uuid)
    LEFT JOIN old_versions AS old USING (uuid)
    WHERE kind = 'dataset_versions'
    UNION ALL
    SELECT coalesce(old.stays, 'heard of again')
    FROM approved
    JOIN jobs USING (uuid)
    LEFT JOIN old_jobs AS old USING (uuid)
    WHERE kind = 'jobs'
    UNION ALL
    SELECT coalesce(old.stays, 'heard of again')
    FROM approved
    JOIN datasets USING (uuid)
    LEFT JOIN old_datasets AS old USING (uuid)
    WHERE kind = 'datasets'
) AS found
GROUP BY reason
