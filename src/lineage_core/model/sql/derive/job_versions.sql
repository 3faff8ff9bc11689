-- Job versions and their datasets, by their moments, and which version a job and a run now are.
-- again: A moment makes another version.
-- reads: dataset_mentions, dataset_versions, event_ledger, jobs, runs, moment_datasets, moments
-- writes: job_versions, job_versions_io_mapping, jobs.current_version_uuid, runs.job_version_uuid
-- removes: job_versions_io_mapping
--
-- The moments that make them: event_ledger.sql.

-- touched_job_versions: the job versions that moments make now, or made before. First and last are found by the ledger's index.
-- The first says whose the version is, and where its source code lies: jobs with names made for it, or another location, may
-- have its id. Each look is one place of an index, so that a version of a million runs costs no more than one of two. The last is
-- asked for in two halves, as events ahead of their receipt stand behind all others in the order.
CREATE TEMP TABLE touched_job_versions ON COMMIT DROP AS
SELECT
    touched.version_uuid,
    first_moment.event_time AS created_at,
    first_moment.event_order AS first_event,
    first_moment.job_uuid,
    first_moment.location,
    last_moment.event_time AS updated_at,
    last_run.run_uuid AS latest_run_uuid
FROM (
    SELECT version_uuid FROM moments
    UNION
    SELECT old_version_uuid FROM moments WHERE old_version_uuid IS NOT NULL
) AS touched
LEFT JOIN LATERAL (
    SELECT event_time, event_order, job_uuid, location
    FROM event_ledger
    WHERE job_version_uuid = touched.version_uuid
    ORDER BY event_order
    LIMIT 1
) AS first_moment ON true
LEFT JOIN LATERAL (
    SELECT event_time
    FROM (
        (
            SELECT event_time, event_order
            FROM event_ledger
            WHERE job_version_uuid = touched.version_uuid AND NOT is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT event_time, event_order
            FROM event_ledger
            WHERE job_version_uuid = touched.version_uuid AND is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
    ) AS last_in_time_and_last_ahead
    ORDER BY event_order
    LIMIT 1
) AS last_moment ON true
LEFT JOIN LATERAL (
    SELECT run_uuid
    FROM (
        (
            SELECT run_uuid, event_order
            FROM event_ledger
            WHERE job_version_uuid = touched.version_uuid AND run_uuid IS NOT NULL AND NOT is_purged AND NOT is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT run_uuid, event_order
            FROM event_ledger
            WHERE job_version_uuid = touched.version_uuid AND run_uuid IS NOT NULL AND NOT is_purged AND is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
    ) AS last_in_time_and_last_ahead
    ORDER BY event_order
    LIMIT 1
) AS last_run ON true;

ANALYZE touched_job_versions;

INSERT INTO job_versions (
    uuid, created_at, updated_at, job_uuid, version, location, latest_run_uuid, namespace_uuid, namespace_name, job_name
)
SELECT
    made.version_uuid,
    made.created_at,
    made.updated_at,
    jobs.uuid,
    moment.version,
    made.location,
    made.latest_run_uuid,
    jobs.namespace_uuid,
    jobs.namespace_name,
    jobs.name
FROM touched_job_versions AS made
JOIN (SELECT DISTINCT version_uuid, version FROM moments) AS moment USING (version_uuid)
JOIN jobs ON jobs.uuid = made.job_uuid
WHERE made.first_event IS NOT NULL AND NOT EXISTS (SELECT FROM job_versions AS stored WHERE stored.uuid = made.version_uuid)
ORDER BY made.version_uuid;

UPDATE job_versions AS stored
SET created_at = made.created_at,
    updated_at = made.updated_at,
    job_uuid = jobs.uuid,
    location = made.location,
    latest_run_uuid = made.latest_run_uuid,
    namespace_uuid = jobs.namespace_uuid,
    namespace_name = jobs.namespace_name,
    job_name = jobs.name
FROM touched_job_versions AS made
JOIN jobs ON jobs.uuid = made.job_uuid
WHERE stored.uuid = made.version_uuid
  AND (stored.created_at, stored.updated_at, stored.job_uuid, stored.location, stored.latest_run_uuid) IS DISTINCT FROM
      (made.created_at, made.updated_at, made.job_uuid, made.location, made.latest_run_uuid);

-- touched_pairs: the job versions of these moments, with each job that makes them now, or made them before, and the first moment
-- of each pair. Where that is of a purged run, its datasets are known from the mapping alone, which stays.
CREATE TEMP TABLE touched_pairs ON COMMIT DROP AS
SELECT touched.version_uuid, touched.job_uuid, moment.run_uuid, moment.event_order
FROM (
    SELECT version_uuid, job_uuid FROM moments
    UNION
    SELECT old_version_uuid, job_uuid FROM moments WHERE old_version_uuid IS NOT NULL
) AS touched
LEFT JOIN LATERAL (
    SELECT run_uuid, event_order, is_purged
    FROM event_ledger
    WHERE job_uuid = touched.job_uuid AND job_version_uuid = touched.version_uuid
    ORDER BY event_order
    LIMIT 1
) AS moment ON true
WHERE moment.is_purged IS NOT TRUE;

ANALYZE touched_pairs;

-- version_datasets: the datasets that the run, or the job event, of the first moment of each pair had named by then. Marquez'
-- text for the id tells inputs from outputs by their order alone, so that another moment of the same id may have others.
CREATE TEMP TABLE version_datasets ON COMMIT DROP AS
SELECT DISTINCT
    touched.version_uuid,
    named.dataset_uuid,
    CASE named.role WHEN input_role() THEN 'INPUT' ELSE 'OUTPUT' END AS io_type,
    touched.job_uuid
FROM (
    SELECT event_order, role, dataset_uuid
    FROM moment_datasets
    UNION ALL
    SELECT named.event_order, named.role, named.dataset_uuid
    FROM (
        SELECT run_uuid, array_agg(event_order) AS event_orders
        FROM touched_pairs
        WHERE event_order IS NOT NULL AND event_order NOT IN (SELECT event_order FROM moments)
        GROUP BY run_uuid
    ) AS earlier
    CROSS JOIN LATERAL named_datasets(earlier.run_uuid, earlier.event_orders) AS named
) AS named
JOIN touched_pairs AS touched USING (event_order);

CREATE INDEX ON version_datasets (version_uuid, dataset_uuid);
ANALYZE version_datasets;

DELETE FROM job_versions_io_mapping AS stored
USING touched_pairs AS touched
WHERE stored.job_version_uuid = touched.version_uuid
  AND stored.job_uuid = touched.job_uuid
  AND NOT EXISTS (
      SELECT
      FROM version_datasets AS named
      WHERE named.version_uuid = stored.job_version_uuid
        AND named.dataset_uuid = stored.dataset_uuid
        AND named.io_type = stored.io_type
        AND named.job_uuid = stored.job_uuid
  );

-- jobs_before: the touched jobs of which few versions are enough. It is known which version was current before the slice, and since
-- when; the slice changes no earlier moment, and brings none of that version from before that time. The last moment of the job was
-- one of that version, so the last one now is that or one of the slice. Else a job whose runs write a dataset of each day, and
-- so make a version each, would take longer with each run.
CREATE TEMP TABLE jobs_before ON COMMIT DROP AS
SELECT touched.job_uuid, jobs.current_version_uuid AS job_version_uuid, mapped.made_current_at
FROM (
    SELECT job_uuid
    FROM moments
    GROUP BY job_uuid
    HAVING bool_and(old_version_uuid IS NULL OR old_version_uuid = version_uuid)
) AS touched
JOIN jobs ON jobs.uuid = touched.job_uuid
CROSS JOIN LATERAL (
    SELECT made_current_at
    FROM job_versions_io_mapping
    WHERE job_version_uuid = jobs.current_version_uuid AND job_uuid = touched.job_uuid AND is_current_job_version
    LIMIT 1
) AS mapped
WHERE EXISTS (
    SELECT
    FROM event_ledger
    WHERE job_uuid = touched.job_uuid AND job_version_uuid = jobs.current_version_uuid AND NOT is_ahead(event_order)
)
AND NOT EXISTS (
    SELECT
    FROM moments AS late
    WHERE late.job_uuid = touched.job_uuid
      AND late.version_uuid = jobs.current_version_uuid
      AND late.event_time AT TIME ZONE 'UTC' < mapped.made_current_at
);

ANALYZE jobs_before;

-- last_moments: the last moment of each version of the touched jobs; of jobs_before, of the versions that may be current now. The
-- ledger's index gives each version once, with its last event; where that lay ahead of its receipt, the last that did not is
-- looked for. The recursion steps from one version to the next in that index: a DISTINCT would read every event of the job.
CREATE TEMP TABLE last_moments ON COMMIT DROP AS
WITH RECURSIVE made AS (
    SELECT touched.job_uuid, last.job_version_uuid, last.event_order
    FROM (SELECT job_uuid FROM moments EXCEPT SELECT job_uuid FROM jobs_before) AS touched
    CROSS JOIN LATERAL (
        SELECT job_version_uuid, event_order
        FROM event_ledger
        WHERE job_uuid = touched.job_uuid AND job_version_uuid IS NOT NULL
        ORDER BY job_version_uuid DESC, event_order DESC
        LIMIT 1
    ) AS last
    UNION ALL
    SELECT made.job_uuid, next.job_version_uuid, next.event_order
    FROM made
    CROSS JOIN LATERAL (
        SELECT job_version_uuid, event_order
        FROM event_ledger
        WHERE job_uuid = made.job_uuid AND job_version_uuid < made.job_version_uuid
        ORDER BY job_version_uuid DESC, event_order DESC
        LIMIT 1
    ) AS next
),
last_of_version AS (
    SELECT job_uuid, job_version_uuid, event_order
    FROM made
    UNION ALL
    SELECT few.job_uuid, few.job_version_uuid, last.event_order
    FROM (
        SELECT job_uuid, job_version_uuid FROM jobs_before
        UNION
        SELECT moments.job_uuid, moments.version_uuid FROM moments JOIN jobs_before USING (job_uuid)
    ) AS few
    CROSS JOIN LATERAL (
        SELECT event_order
        FROM event_ledger
        WHERE job_uuid = few.job_uuid AND job_version_uuid = few.job_version_uuid
        ORDER BY event_order DESC
        LIMIT 1
    ) AS last
)
SELECT last.job_uuid, last.job_version_uuid, coalesce(in_time.event_order, last.event_order) AS event_order
FROM last_of_version AS last
LEFT JOIN LATERAL (
    SELECT event_order
    FROM event_ledger
    WHERE is_ahead(last.event_order)
      AND job_uuid = last.job_uuid
      AND job_version_uuid = last.job_version_uuid
      AND NOT is_ahead(event_order)
    ORDER BY event_order DESC
    LIMIT 1
) AS in_time ON true;

-- touched_jobs: the current version of each job, and since when: its first moment behind the last one of any other version. Of
-- jobs_before not all other versions were looked at: what was current before is so since then, or since later.
CREATE TEMP TABLE touched_jobs ON COMMIT DROP AS
SELECT
    current.job_uuid,
    current.job_version_uuid,
    greatest(since.event_time AT TIME ZONE 'UTC', before.made_current_at) AS made_current_at,
    jobs.current_version_uuid AS version_before
FROM (
    SELECT DISTINCT ON (job_uuid) job_uuid, job_version_uuid, event_before
    FROM (
        SELECT *, lag(event_order, 1, '') OVER (PARTITION BY job_uuid ORDER BY event_order) AS event_before
        FROM last_moments
    ) AS in_order
    ORDER BY job_uuid, is_ahead(event_order), event_order DESC
) AS current
JOIN jobs ON jobs.uuid = current.job_uuid
CROSS JOIN LATERAL (
    SELECT event_time
    FROM event_ledger
    WHERE job_uuid = current.job_uuid
      AND job_version_uuid = current.job_version_uuid
      AND event_order > current.event_before
    ORDER BY event_order
    LIMIT 1
) AS since
LEFT JOIN jobs_before AS before
    ON before.job_uuid = current.job_uuid AND before.job_version_uuid = current.job_version_uuid;

ANALYZE touched_jobs;

UPDATE jobs
SET current_version_uuid = touched.job_version_uuid
FROM touched_jobs AS touched
WHERE jobs.uuid = touched.job_uuid AND jobs.current_version_uuid IS DISTINCT FROM touched.job_version_uuid;

-- A row is written once: as what its job does now, if it is.
INSERT INTO job_versions_io_mapping (job_version_uuid, dataset_uuid, io_type, job_uuid, is_current_job_version, made_current_at)
SELECT named.version_uuid, named.dataset_uuid, named.io_type, named.job_uuid, current.job_uuid IS NOT NULL, current.made_current_at
FROM version_datasets AS named
LEFT JOIN touched_jobs AS current ON current.job_uuid = named.job_uuid AND current.job_version_uuid = named.version_uuid
WHERE NOT EXISTS (
    SELECT
    FROM job_versions_io_mapping AS stored
    WHERE stored.job_version_uuid = named.version_uuid
      AND stored.dataset_uuid = named.dataset_uuid
      AND stored.io_type = named.io_type
      AND stored.job_uuid = named.job_uuid
);

-- Only rows of the version that was current before and of the one that is now can change.
UPDATE job_versions_io_mapping AS mapped
SET is_current_job_version = mapped.job_version_uuid = touched.job_version_uuid,
    made_current_at = CASE WHEN mapped.job_version_uuid = touched.job_version_uuid THEN touched.made_current_at END
FROM touched_jobs AS touched
CROSS JOIN LATERAL (
    SELECT touched.job_version_uuid AS uuid
    UNION
    SELECT touched.version_before
) AS version
WHERE mapped.job_version_uuid = version.uuid
  AND mapped.job_uuid = touched.job_uuid
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
    FROM (
        (
            SELECT job_version_uuid, event_order
            FROM event_ledger
            WHERE run_uuid = touched.run_uuid AND makes_job_version AND NOT is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT job_version_uuid, event_order
            FROM event_ledger
            WHERE run_uuid = touched.run_uuid AND makes_job_version AND is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
    ) AS last_in_time_and_last_ahead
    ORDER BY event_order
    LIMIT 1
) AS last_moment
WHERE runs.job_version_uuid IS DISTINCT FROM last_moment.job_version_uuid;

ANALYZE moved_runs;

UPDATE runs
SET job_version_uuid = moved.job_version_uuid
FROM moved_runs AS moved
WHERE runs.uuid = moved.run_uuid;
