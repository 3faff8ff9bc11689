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
-- stays with them (see stays/parents.sql). In which states a run has ever been, not in which it is, decides which is the last of
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
