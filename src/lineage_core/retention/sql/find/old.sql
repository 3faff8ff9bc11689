-- name: old/entities
-- Jobs and datasets of which nothing was heard since the cutoff, or something from ahead of the moment, and why they stay, null if they go. What else they stay for is found
-- with the runs and versions that stay (see retention/find/stays).

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

-- name: old/job_versions
-- Job versions, and the moments that they follow from.

-- last_moments: the last moment of each version of each job, as sql/derive/job_versions.sql has them.
CREATE TEMP TABLE last_moments AS
SELECT DISTINCT ON (job_uuid, job_version_uuid) job_uuid, job_version_uuid, event_order
FROM event_ledger
WHERE job_version_uuid IS NOT NULL
ORDER BY job_uuid, job_version_uuid, is_ahead(event_order), event_order DESC;

-- current_versions: of each job its current version, and the one before: its last moment says since when that is current.
CREATE TEMP TABLE current_versions AS
SELECT DISTINCT ON (job_uuid) job_uuid, job_version_uuid, version_before, event_before
FROM (
    SELECT
        job_uuid,
        job_version_uuid,
        event_order,
        lag(job_version_uuid) OVER in_order AS version_before,
        lag(event_order, 1, '') OVER in_order AS event_before
    FROM last_moments
    WINDOW in_order AS (PARTITION BY job_uuid ORDER BY event_order)
) AS placed
ORDER BY job_uuid, is_ahead(event_order), event_order DESC;

-- old_job_versions: job versions that no event has made since the cutoff, or one from ahead of the moment, and why they stay, null if they go. `stays_with_job` is
-- why they stay if their job does. Those of runs that stay are found with these (see stays/job_versions_of_runs).
CREATE TEMP TABLE old_job_versions AS
WITH judged AS (
    SELECT
        version.uuid,
        version.job_uuid,
        version.updated_at >= cutoff.as_of AS is_ahead,
        EXISTS (
            SELECT
            FROM (
                SELECT uuid, events_since, events_until
                FROM jobs_held
                WHERE uuid = version.job_uuid
                UNION ALL
                SELECT uuid, events_since, events_until
                FROM datasets_held
                JOIN job_versions_io_mapping AS named ON named.dataset_uuid = datasets_held.uuid
                WHERE named.job_version_uuid = version.uuid
            ) AS held
            WHERE (held.events_since IS NULL OR held.events_since <= version.updated_at)
              AND (held.events_until IS NULL OR held.events_until > version.created_at)
        ) AS is_held,
        CASE
            WHEN cutoff.is_emptied THEN 'of a job that stays'
            WHEN version.uuid IN (SELECT current_version_uuid FROM jobs WHERE current_version_uuid IS NOT NULL) THEN 'current'
            WHEN version.uuid IN (SELECT version_before FROM current_versions WHERE version_before IS NOT NULL)
                THEN 'before the current one'
        END AS stays_with_job
    FROM job_versions AS version
    JOIN jobs AS job ON job.uuid = version.job_uuid
    JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
    WHERE version.updated_at < cutoff.before OR version.updated_at >= cutoff.as_of
)
SELECT
    uuid,
    job_uuid,
    stays_with_job,
    CASE
        WHEN is_ahead THEN 'in the future'
        WHEN is_held THEN 'legal hold'
        WHEN job_uuid NOT IN (SELECT uuid FROM old_jobs WHERE stays IS NULL) THEN stays_with_job
    END AS stays
FROM judged;

CREATE UNIQUE INDEX ON old_job_versions (uuid);
ANALYZE old_job_versions;

-- name: old/runs
-- jobs_of_runs: the jobs that events of each run name. A run is of the one that its first event names. An event that comes late may
-- be its first, and move it. So it counts for each of them: the last run of a job is the same before and after.
CREATE TEMP TABLE jobs_of_runs AS
SELECT uuid AS run_uuid, job_uuid FROM runs
UNION
SELECT run_uuid, job_uuid FROM event_ledger WHERE run_uuid IS NOT NULL AND job_uuid IS NOT NULL AND NOT is_purged;

CREATE INDEX ON jobs_of_runs (job_uuid);
CREATE INDEX ON jobs_of_runs (run_uuid);
ANALYZE jobs_of_runs;

-- old_runs: runs whose last event lies before the cutoff, or ahead of the moment, and why they stay, null if they go. A run that only its children tell
-- stays with them (see stays/parents). In which states a run has ever been, not in which it is, decides which is the last of
-- its state: a late event that ends a run otherwise then protects no other run that has gone before.

-- kept_for_jobs: why runs stay if a job does.
CREATE TEMP TABLE kept_for_jobs AS
WITH last_of_states AS (
    SELECT DISTINCT ON (named.job_uuid, state.state COLLATE "C") state.run_uuid, named.job_uuid
    FROM run_states AS state
    JOIN runs AS run ON run.uuid = state.run_uuid
    JOIN jobs_of_runs AS named USING (run_uuid)
    WHERE run.first_event IS NOT NULL
    ORDER BY named.job_uuid, state.state COLLATE "C", state.transitioned_at DESC, state.run_uuid
),
lasts AS (
    SELECT
        named.run_uuid,
        named.job_uuid,
        row_number() OVER (PARTITION BY named.job_uuid ORDER BY run.created_at DESC, run.uuid) AS number
    FROM runs AS run
    JOIN jobs_of_runs AS named ON named.run_uuid = run.uuid
    WHERE run.first_event IS NOT NULL
      AND EXISTS (SELECT FROM cutoffs WHERE kind = 'runs' AND keep_last > 0)
)
SELECT current_run_uuid AS run_uuid, uuid AS job_uuid, 'current' AS reason FROM jobs WHERE current_run_uuid IS NOT NULL
UNION ALL
SELECT run_uuid, job_uuid, 'last run of its state' FROM last_of_states
UNION ALL
SELECT run.uuid, run.job_uuid, 'of a job that stays'
FROM runs AS run
JOIN jobs AS job ON job.uuid = run.job_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name AND cutoff.is_emptied
UNION ALL
SELECT lasts.run_uuid, lasts.job_uuid, 'last runs of the job'
FROM lasts
JOIN runs AS run ON run.uuid = lasts.run_uuid
JOIN jobs AS job ON job.uuid = run.job_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
WHERE lasts.number <= cutoff.keep_last;

CREATE INDEX ON kept_for_jobs (run_uuid);
ANALYZE kept_for_jobs;

CREATE TEMP TABLE old_runs AS
WITH kept AS (
    -- The first by the alphabet, so that what is counted by reasons is the same each time.
    SELECT run_uuid, min(reason COLLATE "C") AS reason
    FROM kept_for_jobs
    WHERE job_uuid NOT IN (SELECT uuid FROM old_jobs WHERE stays IS NULL)
    GROUP BY run_uuid
),
judged AS (
    SELECT
        run.uuid,
        run.job_uuid,
        cutoff.is_emptied,
        run.first_event IS NOT NULL AND run.end_event IS NULL AS is_open,
        EXISTS (
            SELECT
            FROM runs_held AS held
            WHERE held.uuid = run.uuid
              AND (held.events_since IS NULL OR held.events_since <= run.updated_at)
              AND (held.events_until IS NULL OR held.events_until > run.created_at)
        ) AS is_held,
        run.updated_at >= cutoff.as_of AS is_ahead,
        kept.reason
    FROM runs AS run
    JOIN jobs AS job ON job.uuid = run.job_uuid
    JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
    LEFT JOIN kept ON kept.run_uuid = run.uuid
    WHERE run.updated_at < cutoff.before OR run.updated_at >= cutoff.as_of
)
SELECT
    uuid,
    job_uuid,
    is_emptied,
    CASE
        WHEN is_ahead THEN 'in the future'
        WHEN is_held THEN 'legal hold'
        WHEN is_open AND NOT is_emptied THEN 'open run'
        ELSE reason
    END AS stays
FROM judged;

CREATE UNIQUE INDEX ON old_runs (uuid);
ANALYZE old_runs;
