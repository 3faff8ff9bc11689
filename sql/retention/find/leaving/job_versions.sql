-- Job versions that go, and the moments that those which stay follow from.

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
) AS since
WHERE NOT EXISTS (SELECT FROM leaving_job_versions AS other WHERE other.uuid = current.job_version_uuid);

CREATE UNIQUE INDEX ON needed_moments (event_order);
ANALYZE needed_moments;
