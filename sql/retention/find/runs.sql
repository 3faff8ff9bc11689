-- old_runs: runs whose last event lies before the cutoff, and why they stay, null if they go. A run that only its children tell
-- stays with them (see parents.sql). In which states a run has ever been, not in which it is, decides which is the last of
-- its state: a late event that ends a run otherwise then protects no other run that has gone before.
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
    UNION
    SELECT version.run_uuid
    FROM datasets
    JOIN dataset_versions AS version ON version.uuid = datasets.current_version_uuid
    WHERE version.run_uuid IS NOT NULL
)
SELECT
    run.uuid,
    CASE
        WHEN EXISTS (
            SELECT
            FROM held_things AS held
            WHERE held.namespace = job.namespace_name
              AND held.dataset IS NULL
              AND (held.job IS NULL OR held.job = job.name)
              AND (held.run IS NULL OR held.run = run.uuid)
              AND (held.events_since IS NULL OR held.events_since <= run.updated_at)
              AND (held.events_until IS NULL OR held.events_until > run.created_at)
        ) THEN 'legal hold'
        WHEN run.first_event IS NOT NULL AND run.end_event IS NULL THEN 'open run'
        WHEN run.uuid IN (SELECT run_uuid FROM current) THEN 'current'
        WHEN run.uuid IN (SELECT run_uuid FROM last_of_states) THEN 'last run of its state'
        WHEN lasts.number <= cutoff.keep_last THEN 'last runs of the job'
    END AS stays
FROM runs AS run
JOIN jobs AS job ON job.uuid = run.job_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
LEFT JOIN lasts ON lasts.uuid = run.uuid
WHERE run.updated_at < cutoff.before;

CREATE UNIQUE INDEX ON old_runs (uuid);
ANALYZE old_runs;
