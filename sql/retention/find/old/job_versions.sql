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
-- why they stay if their job does. Those of runs that stay are found with these (see stays/job_versions_of_runs.sql).
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
