-- Job versions that go, and the moments that those which stay follow from.

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

-- old_job_versions: job versions that no event has made since the cutoff, and why they stay, null if they go.
CREATE TEMP TABLE old_job_versions AS
SELECT
    version.uuid,
    CASE
        WHEN EXISTS (
            SELECT
            FROM held_things AS held
            WHERE held.namespace = job.namespace_name
              AND held.dataset IS NULL
              AND held.run IS NULL
              AND (held.job IS NULL OR held.job = job.name)
              AND (held.events_since IS NULL OR held.events_since <= version.updated_at)
              AND (held.events_until IS NULL OR held.events_until > version.created_at)
        ) THEN 'legal hold'
        WHEN version.uuid IN (SELECT current_version_uuid FROM jobs WHERE current_version_uuid IS NOT NULL) THEN 'current'
        WHEN version.uuid IN (SELECT version_before FROM current_versions WHERE version_before IS NOT NULL)
            THEN 'before the current one'
        WHEN EXISTS (
            SELECT
            FROM event_ledger AS moment
            WHERE moment.job_version_uuid = version.uuid
              AND moment.run_uuid IS NOT NULL
              AND NOT moment.is_purged
              AND NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = moment.run_uuid)
        ) THEN 'made by a run that stays'
    END AS stays
FROM job_versions AS version
JOIN jobs AS job ON job.uuid = version.job_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
WHERE version.updated_at < cutoff.before;

-- leaving_job_versions: the job versions that go.
CREATE TEMP TABLE leaving_job_versions AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number FROM old_job_versions WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_job_versions (uuid);
ANALYZE leaving_job_versions;

-- staying_moments: the last moment of each job version that stays. A job event that is one stays whole, with its facets.
CREATE TEMP TABLE staying_moments AS
SELECT DISTINCT event_order
FROM last_moments
WHERE NOT EXISTS (SELECT FROM leaving_job_versions AS other WHERE other.uuid = last_moments.job_version_uuid);

-- needed_moments: the first and the last moment of each job version that stays, and the first of the current one since it is that.
CREATE TEMP TABLE needed_moments AS
SELECT event_order FROM staying_moments
UNION
SELECT event_order
FROM (
    SELECT DISTINCT ON (job_uuid, job_version_uuid) job_version_uuid, event_order
    FROM event_ledger
    WHERE job_version_uuid IS NOT NULL
    ORDER BY job_uuid, job_version_uuid, event_order
) AS first_moments
WHERE NOT EXISTS (SELECT FROM leaving_job_versions AS other WHERE other.uuid = first_moments.job_version_uuid)
UNION
SELECT since.event_order
FROM current_versions AS current
CROSS JOIN LATERAL (
    SELECT event_order
    FROM event_ledger
    WHERE job_uuid = current.job_uuid
      AND job_version_uuid = current.job_version_uuid
      AND event_order > current.event_before
    ORDER BY event_order
    LIMIT 1
) AS since;

CREATE UNIQUE INDEX ON needed_moments (event_order);
ANALYZE needed_moments;
