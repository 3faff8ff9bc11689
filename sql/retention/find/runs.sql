-- old_runs: runs whose last event lies before the cutoff, and why they stay, null if they go. A run that only its children tell
-- stays with them (see stays/parents.sql). In which states a run has ever been, not in which it is, decides which is the last of
-- its state: a late event that ends a run otherwise then protects no other run that has gone before. `stays_with_job` is why it
-- stays if its job does.
CREATE TEMP TABLE old_runs AS
WITH last_of_states AS (
    SELECT DISTINCT ON (run.job_uuid, state.state COLLATE "C") state.run_uuid
    FROM run_states AS state
    JOIN runs AS run ON run.uuid = state.run_uuid
    WHERE run.first_event IS NOT NULL
    ORDER BY run.job_uuid, state.state COLLATE "C", state.transitioned_at DESC, state.run_uuid
),
lasts AS (
    SELECT uuid, row_number() OVER (PARTITION BY job_uuid ORDER BY created_at DESC, uuid) AS number
    FROM runs
    WHERE first_event IS NOT NULL
      AND EXISTS (SELECT FROM cutoffs WHERE kind = 'runs' AND keep_last > 0)
),
current AS (
    SELECT current_run_uuid AS run_uuid FROM jobs WHERE current_run_uuid IS NOT NULL
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
        CASE
            WHEN cutoff.is_emptied THEN 'of a job that stays'
            WHEN run.uuid IN (SELECT run_uuid FROM current) THEN 'current'
            WHEN run.uuid IN (SELECT run_uuid FROM last_of_states) THEN 'last run of its state'
            WHEN lasts.number <= cutoff.keep_last THEN 'last runs of the job'
        END AS stays_with_job
    FROM runs AS run
    JOIN jobs AS job ON job.uuid = run.job_uuid
    JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
    LEFT JOIN lasts ON lasts.uuid = run.uuid
    WHERE run.updated_at < cutoff.before
)
SELECT
    uuid,
    job_uuid,
    is_emptied,
    stays_with_job,
    CASE
        WHEN is_held THEN 'legal hold'
        WHEN is_open AND NOT is_emptied THEN 'open run'
        WHEN job_uuid NOT IN (SELECT uuid FROM old_jobs WHERE stays IS NULL) THEN stays_with_job
    END AS stays
FROM judged;

CREATE UNIQUE INDEX ON old_runs (uuid);
ANALYZE old_runs;
