-- Job versions, their datasets, and which of them is current, by the moments that make them (see event_ledger.sql).

-- touched_job_versions: those that moments make now, or made before. First and last are found by the ledger's index.
CREATE TEMP TABLE touched_job_versions ON COMMIT DROP AS
SELECT
    touched.version_uuid,
    first_moment.event_time AS created_at,
    first_moment.event_order AS first_event,
    last_moment.event_time AS updated_at,
    last_moment.event_order AS last_event,
    last_run.run_uuid AS latest_run_uuid
FROM (
    SELECT version_uuid FROM moments
    UNION
    SELECT old_version_uuid FROM moments WHERE old_version_uuid IS NOT NULL
) AS touched
LEFT JOIN LATERAL (
    SELECT event_time, event_order
    FROM event_ledger
    WHERE job_version_uuid = touched.version_uuid
    ORDER BY event_order
    LIMIT 1
) AS first_moment ON true
LEFT JOIN LATERAL (
    SELECT event_time, event_order
    FROM event_ledger
    WHERE job_version_uuid = touched.version_uuid
    ORDER BY event_order DESC
    LIMIT 1
) AS last_moment ON true
LEFT JOIN LATERAL (
    SELECT run_uuid
    FROM event_ledger
    WHERE job_version_uuid = touched.version_uuid AND run_uuid IS NOT NULL
    ORDER BY event_order DESC
    LIMIT 1
) AS last_run ON true;

INSERT INTO job_versions AS stored (
    uuid, created_at, updated_at, job_uuid, version, location, latest_run_uuid, namespace_uuid, namespace_name, job_name
)
SELECT
    made.version_uuid,
    made.created_at,
    made.updated_at,
    jobs.uuid,
    moment.version,
    moment.location,
    made.latest_run_uuid,
    jobs.namespace_uuid,
    jobs.namespace_name,
    jobs.name
FROM touched_job_versions AS made
JOIN (SELECT DISTINCT version_uuid, version, job_uuid, location FROM moments) AS moment USING (version_uuid)
JOIN jobs ON jobs.uuid = moment.job_uuid
WHERE made.first_event IS NOT NULL
ORDER BY made.version_uuid
ON CONFLICT (uuid) DO NOTHING;

UPDATE job_versions AS stored
SET created_at = made.created_at,
    updated_at = made.updated_at,
    latest_run_uuid = made.latest_run_uuid
FROM touched_job_versions AS made
WHERE stored.uuid = made.version_uuid
  AND made.first_event IS NOT NULL
  AND (
      stored.created_at <> made.created_at
      OR stored.updated_at <> made.updated_at
      OR stored.latest_run_uuid IS DISTINCT FROM made.latest_run_uuid
  );

-- version_datasets: what the run, or the job event, of each version's first moment had named by then. Marquez' text for the id
-- tells inputs from outputs by their order alone, so that another moment of the same id may have others.
CREATE TEMP TABLE version_datasets ON COMMIT DROP AS
SELECT DISTINCT
    made.version_uuid,
    named.dataset_uuid,
    CASE named.role WHEN 1 THEN 'INPUT' ELSE 'OUTPUT' END AS io_type,
    moment.job_uuid
FROM touched_job_versions AS made
JOIN event_ledger AS moment ON moment.event_order = made.first_event
CROSS JOIN LATERAL datasets_named_by(moment.run_uuid, moment.event_order) AS named;

CREATE INDEX ON version_datasets (version_uuid, dataset_uuid);
ANALYZE version_datasets;

DELETE FROM job_versions_io_mapping AS stored
USING touched_job_versions AS made
WHERE stored.job_version_uuid = made.version_uuid
  AND NOT EXISTS (
      SELECT
      FROM version_datasets AS named
      WHERE named.version_uuid = stored.job_version_uuid
        AND named.dataset_uuid = stored.dataset_uuid
        AND named.io_type = stored.io_type
        AND named.job_uuid = stored.job_uuid
  );

INSERT INTO job_versions_io_mapping (job_version_uuid, dataset_uuid, io_type, job_uuid)
SELECT version_uuid, dataset_uuid, io_type, job_uuid
FROM version_datasets
ON CONFLICT (job_version_uuid, dataset_uuid, io_type, job_uuid) DO NOTHING;

-- touched_jobs: the job's current version, and since when: its first moment behind the last one of any other version.
CREATE TEMP TABLE touched_jobs ON COMMIT DROP AS
SELECT
    touched.job_uuid,
    current.job_version_uuid,
    since.event_time AS made_current_at
FROM (SELECT DISTINCT job_uuid FROM moments) AS touched
CROSS JOIN LATERAL (
    SELECT job_version_uuid
    FROM event_ledger
    WHERE job_uuid = touched.job_uuid AND job_version_uuid IS NOT NULL
    ORDER BY event_order DESC
    LIMIT 1
) AS current
CROSS JOIN LATERAL (
    SELECT last_moment.event_order
    FROM job_versions AS other
    CROSS JOIN LATERAL (
        SELECT event_order
        FROM event_ledger
        WHERE job_version_uuid = other.uuid
        ORDER BY event_order DESC
        LIMIT 1
    ) AS last_moment
    WHERE other.job_uuid = touched.job_uuid AND other.uuid <> current.job_version_uuid
    UNION ALL
    SELECT ''::bytea
    ORDER BY event_order DESC
    LIMIT 1
) AS before
CROSS JOIN LATERAL (
    SELECT event_time
    FROM event_ledger
    WHERE job_version_uuid = current.job_version_uuid AND event_order > before.event_order
    ORDER BY event_order
    LIMIT 1
) AS since;

UPDATE jobs
SET current_version_uuid = touched.job_version_uuid
FROM touched_jobs AS touched
WHERE jobs.uuid = touched.job_uuid AND jobs.current_version_uuid IS DISTINCT FROM touched.job_version_uuid;

UPDATE job_versions_io_mapping AS mapped
SET is_current_job_version = mapped.job_version_uuid = touched.job_version_uuid,
    made_current_at = CASE WHEN mapped.job_version_uuid = touched.job_version_uuid THEN touched.made_current_at END
FROM touched_jobs AS touched
WHERE mapped.job_uuid = touched.job_uuid
  AND (mapped.is_current_job_version, mapped.made_current_at) IS DISTINCT FROM (
      mapped.job_version_uuid = touched.job_version_uuid,
      CASE WHEN mapped.job_version_uuid = touched.job_version_uuid THEN touched.made_current_at END
  );

-- moved_runs: runs whose last moment now makes another version.
CREATE TEMP TABLE moved_runs ON COMMIT DROP AS
SELECT runs.uuid AS run_uuid, last_moment.job_version_uuid
FROM (SELECT DISTINCT run_uuid FROM moments WHERE run_uuid IS NOT NULL) AS touched
JOIN runs ON runs.uuid = touched.run_uuid
CROSS JOIN LATERAL (
    SELECT job_version_uuid
    FROM event_ledger
    WHERE run_uuid = touched.run_uuid AND makes_job_version
    ORDER BY event_order DESC
    LIMIT 1
) AS last_moment
WHERE runs.job_version_uuid IS DISTINCT FROM last_moment.job_version_uuid;

UPDATE runs
SET job_version_uuid = moved.job_version_uuid
FROM moved_runs AS moved
WHERE runs.uuid = moved.run_uuid;
