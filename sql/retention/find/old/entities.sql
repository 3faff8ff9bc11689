-- Jobs and datasets of which nothing was heard since the cutoff, or something from ahead of the moment, and why they stay, null if they go. What else they stay for is found
-- with the runs and versions that stay (see sql/retention/find/stays).

-- old_jobs: these jobs.
CREATE TEMP TABLE old_jobs AS
SELECT
    job.uuid,
    CASE
        WHEN job.updated_at >= cutoff.as_of THEN 'in the future'
        WHEN EXISTS (
            SELECT
            FROM jobs_held AS held
            WHERE held.uuid = job.uuid
              AND (held.events_since IS NULL OR held.events_since <= job.updated_at)
              AND (held.events_until IS NULL OR held.events_until > job.created_at)
        ) THEN 'legal hold'
    END AS stays
FROM jobs AS job
JOIN cutoffs AS cutoff ON cutoff.kind = 'entities' AND cutoff.namespace = job.namespace_name
WHERE job.updated_at >= cutoff.as_of
   OR (
       job.updated_at < cutoff.before
       AND NOT EXISTS (
           SELECT FROM job_versions AS version WHERE version.job_uuid = job.uuid AND version.updated_at >= cutoff.before
       )
   );

CREATE UNIQUE INDEX ON old_jobs (uuid);
ANALYZE old_jobs;

-- old_datasets: these datasets.
CREATE TEMP TABLE old_datasets AS
SELECT
    dataset.uuid,
    CASE
        WHEN dataset.updated_at >= cutoff.as_of THEN 'in the future'
        WHEN EXISTS (
            SELECT
            FROM datasets_held AS held
            WHERE held.uuid = dataset.uuid
              AND (held.events_since IS NULL OR held.events_since <= dataset.updated_at)
              AND (held.events_until IS NULL OR held.events_until > dataset.created_at)
        ) THEN 'legal hold'
    END AS stays
FROM datasets AS dataset
JOIN cutoffs AS cutoff ON cutoff.kind = 'entities' AND cutoff.namespace = dataset.namespace_name
WHERE dataset.updated_at >= cutoff.as_of
   OR (
       dataset.updated_at < cutoff.before
       AND NOT EXISTS (
           SELECT
           FROM dataset_versions AS version
           WHERE version.dataset_uuid = dataset.uuid AND version.created_at >= cutoff.before
       )
   );

CREATE UNIQUE INDEX ON old_datasets (uuid);
ANALYZE old_datasets;
