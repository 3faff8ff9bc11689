-- Events and mentions that go, and mentions that stay because a version that stays follows from them.

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
    SELECT event_order
    FROM old_job_events AS old
    WHERE NOT EXISTS (SELECT FROM needed_moments AS other WHERE other.event_order = old.event_order)
    UNION
    SELECT mention.event_order
    FROM leaving_versions
    JOIN dataset_mentions AS mention ON mention.version_uuid = leaving_versions.uuid
    JOIN event_ledger AS ledger USING (event_order)
    WHERE ledger.run_uuid IS NULL AND ledger.job_uuid IS NULL
) AS found;

CREATE UNIQUE INDEX ON leaving_events (event_order);
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
ANALYZE leaving_mentions;
