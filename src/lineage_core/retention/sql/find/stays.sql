-- name: stays/datasets
-- A dataset stays with each run and job version that has read or written it, with the edges of jobs that stay, and with versions of
-- others that have a schema of it.
UPDATE old_datasets AS dataset
SET stays = 'used by what stays'
WHERE stays IS NULL
  AND (
      EXISTS (
          SELECT
          FROM dataset_mentions AS mention
          LEFT JOIN old_runs AS old ON old.uuid = mention.run_uuid
          WHERE mention.dataset_uuid = dataset.uuid
            AND mention.run_uuid IS NOT NULL
            AND NOT mention.is_purged
            AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      OR EXISTS (
          SELECT
          FROM job_versions_io_mapping AS named
          LEFT JOIN old_job_versions AS old ON old.uuid = named.job_version_uuid
          WHERE named.dataset_uuid = dataset.uuid AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      OR EXISTS (
          SELECT
          FROM (
              SELECT dataset.uuid
              UNION ALL
              SELECT key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = dataset.uuid
          ) AS name
          JOIN job_edges AS edge ON edge.name_uuid = name.uuid
          JOIN jobs AS job ON job.uuid = edge.job_uuid
          LEFT JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
          LEFT JOIN old_jobs AS old ON old.uuid = edge.job_uuid
          WHERE (old.uuid IS NULL OR old.stays IS NOT NULL)
            AND (cutoff.before IS NULL OR edge.until_event >= first_order_at(cutoff.before))
      )
      OR EXISTS (
          SELECT
          FROM dataset_schema_versions AS described
          JOIN dataset_versions AS version ON version.dataset_schema_version_uuid = described.uuid
          LEFT JOIN old_datasets AS old ON old.uuid = version.dataset_uuid
          WHERE described.dataset_uuid = dataset.uuid
            AND version.dataset_uuid <> dataset.uuid
            AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
  )

-- name: stays/job_versions_of_jobs
-- So do its versions.
UPDATE old_job_versions AS version
SET stays = version.stays_with_job
FROM old_jobs AS job
WHERE job.uuid = version.job_uuid AND job.stays IS NOT NULL AND version.stays IS NULL AND version.stays_with_job IS NOT NULL

-- name: stays/job_versions_of_runs
-- What a run that stays has made of its job stays.
UPDATE old_job_versions AS version
SET stays = 'made by a run that stays'
WHERE stays IS NULL
  AND EXISTS (
      SELECT
      FROM event_ledger AS moment
      WHERE moment.job_version_uuid = version.uuid
        AND moment.run_uuid IS NOT NULL
        AND NOT moment.is_purged
        AND NOT EXISTS (SELECT FROM old_runs AS old WHERE old.uuid = moment.run_uuid AND old.stays IS NULL)
  )

-- name: stays/jobs
-- A job stays with each run that an event of it names, as its versions are of that job, with a version of it that a legal hold on a
-- dataset keeps, and with the jobs that are part of it or go by another name of it.
UPDATE old_jobs AS job
SET stays = 'used by what stays'
WHERE stays IS NULL
  AND (
      EXISTS (
          SELECT
          FROM jobs_of_runs AS named
          LEFT JOIN old_runs AS old ON old.uuid = named.run_uuid
          WHERE named.job_uuid = job.uuid AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      OR EXISTS (
          SELECT FROM old_job_versions AS version WHERE version.job_uuid = job.uuid AND version.stays = 'legal hold'
      )
      OR EXISTS (
          SELECT
          FROM jobs AS other
          LEFT JOIN old_jobs AS old ON old.uuid = other.uuid
          WHERE job.uuid IN (other.parent_job_uuid, other.symlink_target_uuid)
            AND other.uuid <> job.uuid
            AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
  )

-- name: stays/parents
-- What a run that stays names as its parent stays, and what stands for it. A run that stays for that alone keeps no parent of its own,
-- or a chain of runs that start each other would stay for ever. But the run that stands for that one is made of what it says, so that
-- one stays. Such a run has no parent, so this ends.
UPDATE old_runs
SET stays = 'parent of a run that stays'
WHERE stays IS NULL
  AND uuid IN (
      SELECT child.parent_run_uuid
      FROM runs AS child
      LEFT JOIN old_runs AS old ON old.uuid = child.uuid
      WHERE child.parent_run_uuid IS NOT NULL
        AND (old.uuid IS NULL OR old.stays <> 'parent of a run that stays')
      UNION ALL
      SELECT mention.parent_run_uuid
      FROM parent_mentions AS mention
      LEFT JOIN old_runs AS old ON old.uuid = mention.run_uuid
      WHERE NOT mention.is_purged
        AND (old.uuid IS NULL OR old.stays <> 'parent of a run that stays')
      UNION ALL
      SELECT mention.made_run_uuid
      FROM parent_mentions AS mention
      LEFT JOIN old_runs AS old ON old.uuid = mention.run_uuid
      WHERE NOT mention.is_purged AND (old.uuid IS NULL OR old.stays IS NOT NULL)
  )

-- name: stays/runs_of_jobs
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

-- name: stays/writers
-- The run that has written the current version of a dataset that stays stays. Where a namespace is emptied it goes, and a version of
-- another namespace then names no run; but those that have written what stays of such a namespace itself stay: it stays whole.
UPDATE old_runs
SET stays = 'current'
WHERE (stays IS NULL OR stays = 'parent of a run that stays')
  AND CASE
      WHEN is_emptied THEN uuid IN (
          SELECT mention.run_uuid
          FROM cutoffs AS cutoff
          JOIN datasets AS dataset ON dataset.namespace_name = cutoff.namespace
          JOIN dataset_mentions AS mention ON mention.dataset_uuid = dataset.uuid AND mention.role = output_role()
          LEFT JOIN old_datasets AS old ON old.uuid = dataset.uuid
          WHERE cutoff.kind = 'entities' AND NOT mention.is_purged AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      ELSE uuid IN (
          SELECT version.run_uuid
          FROM dataset_versions AS version
          JOIN datasets AS dataset ON dataset.current_version_uuid = version.uuid
          LEFT JOIN old_datasets AS old ON old.uuid = dataset.uuid
          WHERE old.uuid IS NULL OR old.stays IS NOT NULL
      )
  END
