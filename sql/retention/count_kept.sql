-- What stays though it is older than its cutoff, by the reason.
SELECT stays AS reason, count(*) AS rows
FROM (
    SELECT stays FROM old_runs
    UNION ALL
    SELECT stays FROM old_versions
    UNION ALL
    SELECT stays FROM old_job_versions
    UNION ALL
    SELECT stays FROM old_jobs
    UNION ALL
    SELECT stays FROM old_datasets
) AS old
WHERE stays IS NOT NULL
GROUP BY stays
