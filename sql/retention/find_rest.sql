-- leaving_runs: the runs that go, children before their parents.
CREATE TEMP TABLE leaving_runs AS
WITH RECURSIVE below AS (
    SELECT run.uuid, 0 AS depth
    FROM old_runs AS old
    JOIN runs AS run USING (uuid)
    WHERE old.stays IS NULL
    UNION ALL
    SELECT run.parent_run_uuid, below.depth + 1
    FROM below
    JOIN runs AS run USING (uuid)
    WHERE run.parent_run_uuid IN (SELECT uuid FROM old_runs WHERE stays IS NULL) AND run.parent_run_uuid <> run.uuid
      AND below.depth < 100
)
SELECT uuid, row_number() OVER (ORDER BY max(depth), uuid) AS number
FROM below
GROUP BY uuid;

CREATE UNIQUE INDEX ON leaving_runs (uuid);
CREATE UNIQUE INDEX ON leaving_runs (number);
ANALYZE leaving_runs;

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

-- needed_moments: the first and the last moment of each job version that stays, and the first of the current one since it is that.
CREATE TEMP TABLE needed_moments AS
SELECT event_order
FROM last_moments
WHERE NOT EXISTS (SELECT FROM leaving_job_versions AS other WHERE other.uuid = last_moments.job_version_uuid)
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

-- horizon_rows: versions that were current at the cutoff of their dataset, or became so later. Late events may read them.
CREATE TEMP TABLE horizon_rows AS
WITH placed AS (
    SELECT
        row.dataset_uuid,
        row.version_uuid,
        row.event_order,
        substr(row.event_order, 2, 8) < int8send(microseconds(cutoff.before) # (-9223372036854775808)) AS is_before
    FROM dataset_version_timeline AS row
    JOIN datasets AS dataset ON dataset.uuid = row.dataset_uuid
    JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
)
SELECT version_uuid FROM placed WHERE NOT is_before
UNION
SELECT version_uuid
FROM (
    SELECT DISTINCT ON (dataset_uuid, is_ahead(event_order)) version_uuid
    FROM placed
    WHERE is_before
    ORDER BY dataset_uuid, is_ahead(event_order), event_order DESC
) AS last_before;

-- old_versions: dataset versions that were made before the cutoff, and why they stay, null if they go.
CREATE TEMP TABLE old_versions AS
WITH lasts AS (
    SELECT uuid, row_number() OVER (PARTITION BY dataset_uuid ORDER BY created_at DESC, uuid) AS number
    FROM dataset_versions
    WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'versions' AND keep_last > 0)
)
SELECT
    version.uuid,
    CASE
        WHEN EXISTS (
            SELECT
            FROM held_things AS held
            WHERE held.namespace = dataset.namespace_name
              AND held.job IS NULL
              AND held.run IS NULL
              AND (held.dataset IS NULL OR held.dataset = dataset.name)
              AND (held.events_since IS NULL OR held.events_since <= version.created_at)
              AND (held.events_until IS NULL OR held.events_until > version.created_at)
        ) THEN 'legal hold'
        WHEN version.uuid IN (SELECT current_version_uuid FROM datasets WHERE current_version_uuid IS NOT NULL) THEN 'current'
        WHEN lasts.number <= cutoff.keep_last THEN 'last versions of the dataset'
        WHEN EXISTS (
            SELECT
            FROM dataset_mentions AS mention
            WHERE mention.version_uuid = version.uuid
              AND mention.run_uuid IS NOT NULL
              AND NOT mention.is_purged
              AND NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = mention.run_uuid)
        ) THEN 'read or written by a run that stays'
        WHEN version.uuid IN (SELECT version_uuid FROM horizon_rows) THEN 'current at the horizon'
        WHEN EXISTS (
            SELECT
            FROM dataset_mentions AS mention
            WHERE mention.version_uuid = version.uuid
              AND mention.run_uuid IS NULL
              AND (
                  mention.event_time >= cutoff.before
                  OR mention.event_order IN (SELECT event_order FROM needed_moments)
              )
        ) THEN 'named by an event that stays'
    END AS stays
FROM dataset_versions AS version
JOIN datasets AS dataset ON dataset.uuid = version.dataset_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
LEFT JOIN lasts ON lasts.uuid = version.uuid
WHERE version.created_at < cutoff.before;

-- leaving_versions: the dataset versions that go.
CREATE TEMP TABLE leaving_versions AS
SELECT uuid, version.dataset_schema_version_uuid AS schema_version_uuid, row_number() OVER (ORDER BY uuid) AS number
FROM old_versions
JOIN dataset_versions AS version USING (uuid)
WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_versions (uuid);
CREATE UNIQUE INDEX ON leaving_versions (number);
ANALYZE leaving_versions;

-- old_job_events: job events from before the cutoff that no job version needs.
CREATE TEMP TABLE old_job_events AS
SELECT ledger.event_order
FROM event_ledger AS ledger
JOIN jobs AS job ON job.uuid = ledger.job_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
WHERE ledger.run_uuid IS NULL
  AND ledger.event_time < cutoff.before
  AND NOT EXISTS (SELECT FROM needed_moments AS other WHERE other.event_order = ledger.event_order);

-- doubtful_mentions: mentions that were purged, and those of runs and of job events that go.
CREATE TEMP TABLE doubtful_mentions AS
SELECT dataset_uuid, role, event_order, place, version_uuid, schema_uuid
FROM dataset_mentions
WHERE is_purged
UNION ALL
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place, mention.version_uuid, mention.schema_uuid
FROM leaving_runs
JOIN dataset_mentions AS mention ON mention.run_uuid = leaving_runs.uuid
WHERE NOT mention.is_purged
UNION ALL
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place, mention.version_uuid, mention.schema_uuid
FROM old_job_events
JOIN dataset_mentions AS mention USING (event_order)
WHERE mention.run_uuid IS NULL AND NOT mention.is_purged;

ANALYZE doubtful_mentions;

-- needed_mentions: of these, those that make a version that stays, or are the first that describes it by a schema.
CREATE TEMP TABLE needed_mentions AS
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place
FROM doubtful_mentions AS mention
JOIN dataset_versions AS version ON version.uuid = mention.version_uuid
WHERE version.first_event = mention.event_order || int4send(mention.place)
  AND NOT EXISTS (SELECT FROM leaving_versions AS other WHERE other.uuid = version.uuid)
UNION
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place
FROM doubtful_mentions AS mention
JOIN (
    SELECT DISTINCT ON (said.version_uuid, said.schema_uuid)
        said.version_uuid, said.schema_uuid, said.event_order, said.place
    FROM (
        SELECT DISTINCT version_uuid, schema_uuid
        FROM doubtful_mentions AS doubtful
        WHERE NOT EXISTS (SELECT FROM leaving_versions AS other WHERE other.uuid = doubtful.version_uuid)
    ) AS asked
    JOIN dataset_mentions AS said USING (version_uuid, schema_uuid)
    ORDER BY said.version_uuid, said.schema_uuid, said.event_order, said.place
) AS first_said USING (version_uuid, schema_uuid, event_order, place)
JOIN dataset_versions AS version ON version.uuid = mention.version_uuid;

CREATE INDEX ON needed_mentions (event_order);
ANALYZE needed_mentions;

-- leaving_events: rows of the ledger that go: of these runs and of purged ones all that no version of a job needs, of jobs alike,
-- and of datasets those whose version goes.
CREATE TEMP TABLE leaving_events AS
SELECT event_order, row_number() OVER (ORDER BY event_order) AS number
FROM (
    SELECT ledger.event_order
    FROM leaving_runs
    JOIN event_ledger AS ledger ON ledger.run_uuid = leaving_runs.uuid
    WHERE NOT EXISTS (SELECT FROM needed_moments AS other WHERE other.event_order = ledger.event_order)
    UNION
    SELECT event_order
    FROM event_ledger AS ledger
    WHERE is_purged AND NOT EXISTS (SELECT FROM needed_moments AS other WHERE other.event_order = ledger.event_order)
    UNION
    SELECT event_order FROM old_job_events
    UNION
    SELECT mention.event_order
    FROM leaving_versions
    JOIN dataset_mentions AS mention ON mention.version_uuid = leaving_versions.uuid
    JOIN event_ledger AS ledger USING (event_order)
    WHERE ledger.run_uuid IS NULL AND ledger.job_uuid IS NULL
) AS found;

CREATE UNIQUE INDEX ON leaving_events (event_order);
CREATE UNIQUE INDEX ON leaving_events (number);
ANALYZE leaving_events;

-- leaving_mentions: mentions that go: of the doubtful ones those that nothing needs, and those by dataset events that go.
CREATE TEMP TABLE leaving_mentions AS
SELECT dataset_uuid, role, event_order, place, row_number() OVER (ORDER BY event_order, place) AS number
FROM (
    SELECT dataset_uuid, role, event_order, place
    FROM doubtful_mentions
    EXCEPT
    SELECT dataset_uuid, role, event_order, place FROM needed_mentions
    UNION
    SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place
    FROM leaving_versions
    JOIN dataset_mentions AS mention ON mention.version_uuid = leaving_versions.uuid
    JOIN leaving_events USING (event_order)
    WHERE mention.run_uuid IS NULL
) AS found;

CREATE INDEX ON leaving_mentions (event_order);
CREATE UNIQUE INDEX ON leaving_mentions (number);
ANALYZE leaving_mentions;

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
    WHERE job.latest_event IS NULL AND mention.made_run_uuid IS NOT NULL
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

CREATE UNIQUE INDEX ON leaving_parents (number);

-- leaving_rows: the rows of the timeline of these versions.
CREATE TEMP TABLE leaving_rows AS
SELECT row.dataset_uuid, row.event_order, row.is_written, leaving_versions.number AS version_number
FROM leaving_versions
JOIN dataset_version_timeline AS row ON row.version_uuid = leaving_versions.uuid;

CREATE INDEX ON leaving_rows (version_number);
ANALYZE leaving_rows;

-- leaving_lineages: pairs of versions whose column lineage goes: with one of them, or with the run that has said it.
CREATE TEMP TABLE leaving_lineages AS
SELECT
    stored.output_dataset_version_uuid,
    stored.input_dataset_version_uuid,
    row_number() OVER (ORDER BY stored.output_dataset_version_uuid, stored.input_dataset_version_uuid) AS number
FROM column_lineage_versions AS stored
WHERE stored.output_dataset_version_uuid IN (
    SELECT uuid FROM leaving_versions
    UNION
    SELECT mention.version_uuid
    FROM leaving_runs
    JOIN dataset_mentions AS mention ON mention.run_uuid = leaving_runs.uuid AND mention.role = output_role()
)
OR stored.input_dataset_version_uuid IN (SELECT uuid FROM leaving_versions);

CREATE UNIQUE INDEX ON leaving_lineages (number);

-- leaving_schema_versions: schema versions of which no version is left.
CREATE TEMP TABLE leaving_schema_versions AS
SELECT stored.uuid, row_number() OVER (ORDER BY stored.uuid) AS number
FROM dataset_schema_versions AS stored
JOIN datasets AS dataset ON dataset.uuid = stored.dataset_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
WHERE NOT EXISTS (
    SELECT
    FROM dataset_versions AS version
    LEFT JOIN leaving_versions AS leaving USING (uuid)
    WHERE version.dataset_schema_version_uuid = stored.uuid AND leaving.uuid IS NULL
);

CREATE UNIQUE INDEX ON leaving_schema_versions (number);

-- leaving_quarantine: refused documents that are older than their cutoff.
CREATE TEMP TABLE leaving_quarantine AS
SELECT quarantine.id, row_number() OVER (ORDER BY quarantine.id) AS number
FROM quarantine
JOIN cutoffs AS cutoff ON cutoff.kind = 'quarantine'
WHERE quarantine.received_at < cutoff.before;

CREATE UNIQUE INDEX ON leaving_quarantine (number);
