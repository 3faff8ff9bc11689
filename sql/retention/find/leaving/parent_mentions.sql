-- Mentions of parents that go.

-- doubtful_parents: what purged runs, and runs that go, have said of their parents.
CREATE TEMP TABLE doubtful_parents AS
SELECT mention.parent_run_uuid, mention.event_order, mention.run_uuid
FROM parent_mentions AS mention
LEFT JOIN leaving_runs ON leaving_runs.uuid = mention.run_uuid
WHERE mention.is_purged OR leaving_runs.uuid IS NOT NULL;

CREATE INDEX ON doubtful_parents (run_uuid);
ANALYZE doubtful_parents;

-- needed_parents: the first event that names a run that stays, and the first and the last that say the same of a made run or job.
CREATE TEMP TABLE needed_parents AS
WITH staying AS (
    SELECT mention.*
    FROM (SELECT DISTINCT parent_run_uuid FROM doubtful_parents) AS doubtful
    JOIN parent_mentions AS mention USING (parent_run_uuid)
    JOIN runs AS run ON run.uuid = mention.parent_run_uuid
    WHERE NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = run.uuid)
),
said AS (
    SELECT mention.*
    FROM parent_mentions AS mention
    JOIN runs AS run ON run.uuid = mention.made_run_uuid
    WHERE NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = run.uuid)
),
said_of_jobs AS (
    SELECT mention.*
    FROM parent_mentions AS mention
    JOIN jobs AS job ON job.uuid = mention.local_job_uuid
    WHERE job.latest_event IS NULL
      AND mention.made_run_uuid IS NOT NULL
      AND NOT EXISTS (SELECT FROM leaving_jobs AS other WHERE other.uuid = job.uuid)
)
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (parent_run_uuid) parent_run_uuid, event_order FROM staying ORDER BY parent_run_uuid, event_order
) AS first_named
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (made_run_uuid, says) parent_run_uuid, event_order FROM said ORDER BY made_run_uuid, says, event_order
) AS first_said
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (made_run_uuid, says) parent_run_uuid, event_order
    FROM said
    ORDER BY made_run_uuid, says, event_order DESC
) AS last_said
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (local_job_uuid) parent_run_uuid, event_order FROM said_of_jobs ORDER BY local_job_uuid, event_order
) AS first_of_job
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (local_job_uuid, is_ahead(event_order)) parent_run_uuid, event_order
    FROM said_of_jobs
    ORDER BY local_job_uuid, is_ahead(event_order), event_order DESC
) AS last_of_job;

CREATE INDEX ON needed_parents (parent_run_uuid, event_order);

-- leaving_parents: mentions of parents that go.
CREATE TEMP TABLE leaving_parents AS
SELECT parent_run_uuid, event_order, row_number() OVER (ORDER BY parent_run_uuid, event_order) AS number
FROM (
    SELECT parent_run_uuid, event_order FROM doubtful_parents
    EXCEPT
    SELECT parent_run_uuid, event_order FROM needed_parents
) AS found;
