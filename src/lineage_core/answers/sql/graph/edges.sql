-- name: settings
-- A graph looks up a few keys beside what is stored: joins that read all of an index are never the faster ones, whatever statistics say.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
-- What workers would read is less than what it takes to start them.
SET LOCAL max_parallel_workers_per_gather = 0

-- name: of_datasets
-- The stored edges of some datasets at a moment, by any of their names.
SELECT
    edge.job_uuid,
    name.dataset_uuid,
    edge.role,
    edge.since_event,
    edge.until_event,
    edge.job_uuid AS other_uuid
FROM (
    SELECT asked.uuid AS dataset_uuid, asked.uuid FROM unnest(%(asked)s::uuid[]) AS asked (uuid)
    UNION
    SELECT known.uuid, known.key_uuid
    FROM identity_map AS known
    WHERE known.entity = 'datasets' AND known.uuid = ANY (%(asked)s::uuid[])
) AS name
JOIN job_edges AS edge ON edge.name_uuid = name.uuid
WHERE edge.until_event >= %(before)s
  AND edge.since_event < %(before)s
  AND edge.role = %(role)s
  AND edge.lineage_uuid = '00000000-0000-0000-0000-000000000000'

-- name: of_jobs
-- The stored edges of some jobs at a moment.
SELECT
    edge.job_uuid,
    coalesce(known.uuid, edge.name_uuid) AS dataset_uuid,
    edge.role,
    edge.since_event,
    edge.until_event,
    coalesce(known.uuid, edge.name_uuid) AS other_uuid
FROM job_edges AS edge
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = edge.name_uuid
WHERE edge.job_uuid = ANY (%(asked)s::uuid[])
  AND edge.until_event >= %(before)s
  AND edge.since_event < %(before)s
  AND edge.role = %(role)s
  AND edge.lineage_uuid = '00000000-0000-0000-0000-000000000000'

-- name: edges
-- Of the edges that are stored, those to and from the first things by their ids, `most` of them.
SELECT edge.job_uuid::text, edge.dataset_uuid::text, edge.role, edge.since_event, edge.until_event
FROM (
    SELECT stored.*, dense_rank() OVER (ORDER BY other_uuid) AS place
    FROM ({stored}) AS stored
) AS edge
WHERE edge.place <= %(most)s

-- name: intervals
-- All that is stored of some edges, under whichever name of the dataset, so that histories which a symlink joins are one.
SELECT
    asked.job_uuid::text,
    asked.dataset_uuid::text,
    asked.role,
    edge.since_event,
    edge.until_event
FROM unnest(%(jobs)s::uuid[], %(datasets)s::uuid[], %(roles)b::integer[]) AS asked (job_uuid, dataset_uuid, role)
CROSS JOIN LATERAL (
    SELECT known.key_uuid AS uuid
    FROM identity_map AS known
    WHERE known.entity = 'datasets' AND known.uuid = asked.dataset_uuid
    UNION ALL
    SELECT asked.dataset_uuid
    WHERE EXISTS (
        SELECT FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.dataset_uuid
    )
) AS name
CROSS JOIN LATERAL (
    -- By its whole key, for what many jobs read has as many edges as that: so it is not merged into the join.
    SELECT stored.since_event, stored.until_event
    FROM job_edges AS stored
    WHERE stored.job_uuid = asked.job_uuid
      AND stored.role = asked.role
      AND stored.name_uuid = name.uuid
      AND stored.lineage_uuid = '00000000-0000-0000-0000-000000000000'
    OFFSET 0
) AS edge

-- name: evidence
-- Of stretches of the histories of jobs: the last event in each that has confirmed it, and how many runs did.
SELECT asked.number, last_moment.event_order AS last_event, counted.runs
FROM unnest(%(jobs)s::uuid[], %(since)s::bytea[], %(until)s::bytea[])
    WITH ORDINALITY AS asked (job_uuid, since_event, until_event, number)
LEFT JOIN LATERAL (
    SELECT moment.event_order
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = asked.job_uuid
      AND moment.event_order >= asked.since_event
      AND moment.event_order < asked.until_event
    ORDER BY moment.event_order DESC
    LIMIT 1
) AS last_moment ON true
CROSS JOIN LATERAL (
    SELECT count(DISTINCT moment.run_uuid) AS runs
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = asked.job_uuid
      AND moment.event_order >= asked.since_event
      AND moment.event_order < asked.until_event
) AS counted

-- name: flows
-- Of edges: the run of the last event that confirmed it before a moment, and the version of the dataset that this run read or wrote.
SELECT asked.number, last_moment.run_uuid::text, used.version_uuid::text
FROM unnest(
    %(jobs)s::uuid[], %(datasets)s::uuid[], %(roles)b::integer[], %(since)s::bytea[], %(until)s::bytea[]
) WITH ORDINALITY AS asked (job_uuid, dataset_uuid, role, since_event, until_event, number)
CROSS JOIN LATERAL (
    SELECT moment.run_uuid, moment.event_order
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = asked.job_uuid
      AND moment.event_order >= asked.since_event
      AND moment.event_order < least(asked.until_event, %(before)s)
    ORDER BY moment.event_order DESC
    LIMIT 1
) AS last_moment
LEFT JOIN LATERAL (
    SELECT mention.version_uuid
    FROM dataset_mentions AS mention
    WHERE mention.run_uuid = last_moment.run_uuid
      AND mention.role = asked.role
      AND mention.dataset_uuid = asked.dataset_uuid
      AND mention.event_order <= last_moment.event_order
    ORDER BY mention.event_order DESC, mention.place DESC
    LIMIT 1
) AS used ON true

-- name: runs_of_events
-- The runs of some events, of those that are of one and that retention has not deleted.
SELECT event_order, run_uuid::text FROM event_ledger WHERE event_order = ANY (%(orders)s::bytea[]) AND run_uuid IS NOT NULL

-- name: horizon
-- The last point in time before which retention has deleted runs anywhere: what held only then may have left nothing that says whose
-- it was. Null without any.
SELECT max(before) FROM retention_horizons WHERE kind = 'runs'
