-- What stays for a job stays if that turns out to stay, as without a policy of entities.
UPDATE old_runs AS run
SET stays = kept.reason
FROM (
    SELECT kept_for_jobs.run_uuid, min(kept_for_jobs.reason COLLATE "C") AS reason
    FROM kept_for_jobs
    JOIN old_jobs AS job ON job.uuid = kept_for_jobs.job_uuid
    WHERE job.stays IS NOT NULL
    GROUP BY kept_for_jobs.run_uuid
) AS kept
WHERE kept.run_uuid = run.uuid AND (run.stays IS NULL OR run.stays = 'parent of a run that stays')
