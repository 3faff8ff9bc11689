-- name: graph/settings
-- A graph looks up a few keys beside what is stored: joins that read all of an index are never the faster ones, whatever statistics say.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off

-- name: graph/dataset
-- The dataset of a name, by its key; null if no event has named it.
SELECT dataset.uuid
FROM (SELECT %(key)s::uuid AS uuid) AS name
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.uuid
JOIN datasets AS dataset ON dataset.uuid = coalesce(known.uuid, name.uuid)

-- name: graph/job
-- The job of a name: its own, an earlier one, or that of a job in whose place a person has put it.
SELECT coalesce(job.symlink_target_uuid, job.uuid)
FROM jobs AS job
WHERE job.namespace_name = %(namespace)s
  AND (job.name = %(name)s OR %(name)s::text = ANY (job.aliases))
ORDER BY job.name <> %(name)s, job.uuid
LIMIT 1

-- name: graph/near_datasets
-- Names of datasets of a namespace, to name the nearest of them.
SELECT name FROM public.datasets WHERE namespace_name = %(namespace)s ORDER BY updated_at DESC LIMIT 1000

-- name: graph/near_jobs
-- Names of jobs of a namespace, to name the nearest of them.
SELECT name FROM public.jobs WHERE namespace_name = %(namespace)s ORDER BY updated_at DESC LIMIT 1000

-- name: graph/named_datasets
-- What datasets are called.
SELECT uuid, namespace_name AS namespace, name FROM datasets WHERE uuid = ANY (%(uuids)s)

-- name: graph/named_jobs
-- What jobs are called.
SELECT uuid, namespace_name AS namespace, name FROM jobs WHERE uuid = ANY (%(uuids)s)

-- name: graph/of_datasets
-- The stored edges of some datasets at a moment, by any of their names.
SELECT
    edge.job_uuid,
    asked.uuid AS dataset_uuid,
    edge.role,
    edge.since_event,
    edge.until_event,
    edge.job_uuid AS other_uuid
FROM unnest(%(asked)s::uuid[]) AS asked (uuid)
CROSS JOIN LATERAL (
    SELECT asked.uuid
    UNION
    SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.uuid
) AS name
JOIN job_edges AS edge ON edge.name_uuid = name.uuid
WHERE edge.until_event >= %(before)s
  AND edge.since_event < %(before)s
  AND edge.role = %(role)s
  AND edge.lineage_uuid = '00000000-0000-0000-0000-000000000000'

-- name: graph/of_jobs
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

-- name: graph/edges
-- Of the edges that are stored, those to and from the first things by their ids, `most` of them, and whether they hold. A dataset that
-- was dropped, or has another name now, has none until a moment of the job behind that names it again (`resumed_event`).
SELECT
    edge.job_uuid,
    edge.dataset_uuid,
    edge.role,
    edge.since_event,
    edge.until_event,
    resumed.event_order AS resumed_event,
    ended.next_event AS ends_event,
    (
        (ended.last_event IS NULL OR coalesce(resumed.event_order < %(before)s, false))
        AND (%(shows_hidden)s OR (job.is_hidden IS NOT TRUE AND dataset.is_hidden IS NOT TRUE))
    ) AS holds
FROM (
    SELECT stored.*, dense_rank() OVER (ORDER BY other_uuid) AS place
    FROM ({stored}) AS stored
) AS edge
JOIN jobs AS job ON job.uuid = edge.job_uuid
JOIN datasets AS dataset ON dataset.uuid = edge.dataset_uuid
CROSS JOIN LATERAL (
    -- Before version 18 Postgres has no max() of bytea; in hexadecimal digits, "C" orders as the bytes do.
    SELECT
        decode(max(hex) FILTER (WHERE event_order < %(before)s), 'hex') AS last_event,
        decode(min(hex) FILTER (WHERE event_order >= %(before)s), 'hex') AS next_event
    FROM (SELECT event_order, encode(event_order, 'hex') COLLATE "C" AS hex FROM {endings_of}(edge.dataset_uuid)) AS ending
) AS ended
LEFT JOIN LATERAL (
    SELECT moment.event_order
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = edge.job_uuid AND moment.event_order > ended.last_event
    ORDER BY moment.event_order
    LIMIT 1
) AS resumed ON true
WHERE edge.place <= %(most)s

-- name: graph/endings_now
-- The function that says when a dataset ended.
public.endings_of

-- name: graph/endings_then
-- That of a session that shows what was known at another moment.
pg_temp.endings_of

-- name: graph/intervals
-- All that is stored of some edges, under whichever name of the dataset, so that histories which a symlink joins are one.
SELECT
    asked.job_uuid,
    asked.dataset_uuid,
    asked.role,
    edge.since_event,
    edge.until_event
FROM unnest(%(jobs)s::uuid[], %(datasets)s::uuid[], %(roles)s::integer[]) AS asked (job_uuid, dataset_uuid, role)
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

-- name: graph/evidence
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

-- name: graph/flows
-- Of edges: the run of the last event that confirmed it before a moment, and the version of the dataset that this run read or wrote.
SELECT asked.number, last_moment.run_uuid, used.version_uuid
FROM unnest(
    %(jobs)s::uuid[], %(datasets)s::uuid[], %(roles)s::integer[], %(since)s::bytea[], %(until)s::bytea[]
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

-- name: graph/runs_of_events
-- The runs of some events, of those that are of one and that retention has not deleted.
SELECT event_order, run_uuid FROM event_ledger WHERE event_order = ANY (%(orders)s::bytea[]) AND run_uuid IS NOT NULL

-- name: graph/horizon
-- The last point in time before which retention has deleted runs anywhere: what held only then may have left nothing that says whose
-- it was. Null without any.
SELECT max(before) FROM retention_horizons WHERE kind = 'runs'

-- name: graph/lost_descriptions
-- Whether a description of columns is gone that an edge of then has.
SELECT EXISTS (
    SELECT
    FROM pg_temp.job_edges_then AS edge
    WHERE edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
      AND NOT EXISTS (SELECT FROM dataset_column_lineages AS described WHERE described.uuid = edge.lineage_uuid)
)

-- name: graph/of_outputs
-- The stored pairs of some columns and those that they are made of, at a moment, by what jobs say of them.
SELECT
    edge.job_uuid,
    asked.dataset_uuid AS output_uuid,
    asked.name AS output_column,
    coalesce(known_input.uuid, (pair ->> 'dataset')::uuid) AS input_uuid,
    pair ->> 'field' AS input_column,
    edge.since_event,
    edge.until_event,
    coalesce(known_input.uuid, (pair ->> 'dataset')::uuid) AS other_uuid,
    pair ->> 'field' AS other_column
FROM unnest(%(datasets)s::uuid[], %(columns)s::text[]) AS asked (dataset_uuid, name)
CROSS JOIN LATERAL (
    SELECT asked.dataset_uuid
    UNION
    SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.dataset_uuid
) AS output (uuid)
JOIN job_edges AS edge ON edge.name_uuid = output.uuid
JOIN dataset_column_lineages AS described ON described.uuid = edge.lineage_uuid
CROSS JOIN LATERAL jsonb_array_elements(described.pairs) AS pair
LEFT JOIN identity_map AS known_input
    ON known_input.entity = 'datasets' AND known_input.key_uuid = (pair ->> 'dataset')::uuid
WHERE edge.until_event >= %(before)s
  AND edge.since_event < %(before)s
  AND edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
  AND pair ->> 'output' = asked.name

-- name: graph/of_inputs
-- The stored pairs of some columns and those that are made of them, at a moment, by what jobs say of them.
SELECT
    edge.job_uuid,
    coalesce(known_output.uuid, edge.name_uuid) AS output_uuid,
    pair ->> 'output' AS output_column,
    asked.dataset_uuid AS input_uuid,
    asked.name AS input_column,
    edge.since_event,
    edge.until_event,
    coalesce(known_output.uuid, edge.name_uuid) AS other_uuid,
    pair ->> 'output' AS other_column
FROM unnest(%(datasets)s::uuid[], %(columns)s::text[]) AS asked (dataset_uuid, name)
CROSS JOIN LATERAL (
    SELECT asked.dataset_uuid
    UNION
    SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.dataset_uuid
) AS input (uuid)
JOIN column_lineage_inputs AS taken ON taken.name_uuid = input.uuid
JOIN job_edges AS edge
    ON edge.lineage_uuid = taken.lineage_uuid AND edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
JOIN dataset_column_lineages AS described ON described.uuid = edge.lineage_uuid
CROSS JOIN LATERAL jsonb_array_elements(described.pairs) AS pair
LEFT JOIN identity_map AS known_output ON known_output.entity = 'datasets' AND known_output.key_uuid = edge.name_uuid
WHERE edge.until_event >= %(before)s
  AND edge.since_event < %(before)s
  AND (pair ->> 'dataset')::uuid = input.uuid
  AND pair ->> 'field' = asked.name

-- name: graph/pairs
-- Of the pairs of columns that are stored, those to and from the first columns by their ids, `most` of them, and whether they hold:
-- neither dataset may have ended since the last moment of the job.
SELECT
    pair.job_uuid,
    pair.output_uuid,
    pair.output_column,
    pair.input_uuid,
    pair.input_column,
    pair.since_event,
    pair.until_event,
    resumed.event_order AS resumed_event,
    ended.next_event AS ends_event,
    (
        (ended.last_event IS NULL OR coalesce(resumed.event_order < %(before)s, false))
        AND (
            %(shows_hidden)s
            OR (job.is_hidden IS NOT TRUE AND output.is_hidden IS NOT TRUE AND input.is_hidden IS NOT TRUE)
        )
    ) AS holds
FROM (
    SELECT stored.*, dense_rank() OVER (ORDER BY other_uuid, other_column COLLATE "C") AS place
    FROM ({stored}) AS stored
) AS pair
JOIN jobs AS job ON job.uuid = pair.job_uuid
JOIN datasets AS output ON output.uuid = pair.output_uuid
LEFT JOIN datasets AS input ON input.uuid = pair.input_uuid
CROSS JOIN LATERAL (
    SELECT
        decode(max(hex) FILTER (WHERE event_order < %(before)s), 'hex') AS last_event,
        decode(min(hex) FILTER (WHERE event_order >= %(before)s), 'hex') AS next_event
    FROM (
        SELECT event_order, encode(event_order, 'hex') COLLATE "C" AS hex FROM {endings_of}(pair.output_uuid)
        UNION ALL
        SELECT event_order, encode(event_order, 'hex') COLLATE "C" FROM {endings_of}(pair.input_uuid)
    ) AS ending
) AS ended
LEFT JOIN LATERAL (
    SELECT moment.event_order
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = pair.job_uuid AND moment.event_order > ended.last_event
    ORDER BY moment.event_order
    LIMIT 1
) AS resumed ON true
WHERE pair.place <= %(most)s

-- name: graph/pair_intervals
-- All that is stored of some pairs of columns, in whichever description, under whichever name of the datasets.
SELECT asked.number, edge.since_event, edge.until_event
FROM unnest(
    %(jobs)s::uuid[], %(outputs)s::uuid[], %(output_columns)s::text[], %(inputs)s::uuid[], %(input_columns)s::text[]
) WITH ORDINALITY AS asked (job_uuid, output_uuid, output_column, input_uuid, input_column, number)
CROSS JOIN LATERAL (
    SELECT asked.output_uuid
    UNION
    SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.output_uuid
) AS output (uuid)
JOIN job_edges AS edge
    ON edge.job_uuid = asked.job_uuid
   AND edge.role = output_role()
   AND edge.name_uuid = output.uuid
   AND edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
JOIN dataset_column_lineages AS described ON described.uuid = edge.lineage_uuid
WHERE EXISTS (
    SELECT
    FROM jsonb_array_elements(described.pairs) AS pair
    LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = (pair ->> 'dataset')::uuid
    WHERE pair ->> 'output' = asked.output_column
      AND pair ->> 'field' = asked.input_column
      AND coalesce(known.uuid, (pair ->> 'dataset')::uuid) = asked.input_uuid
)

-- name: graph/has_column
-- Whether any event has named a column of a dataset: in its schema, or in a description of where columns come from.
SELECT EXISTS (
    SELECT FROM dataset_fields WHERE dataset_uuid = %(dataset)s AND name = %(name)s
)
OR EXISTS (
    SELECT
    FROM (
        SELECT %(dataset)s::uuid
        UNION
        SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = %(dataset)s
    ) AS name (uuid)
    CROSS JOIN LATERAL (
        SELECT taken.lineage_uuid, 'field' AS side
        FROM column_lineage_inputs AS taken
        WHERE taken.name_uuid = name.uuid
        UNION ALL
        SELECT edge.lineage_uuid, 'output'
        FROM job_edges AS edge
        WHERE edge.name_uuid = name.uuid AND edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
    ) AS stated
    JOIN dataset_column_lineages AS described ON described.uuid = stated.lineage_uuid
    CROSS JOIN LATERAL jsonb_array_elements(described.pairs) AS pair
    WHERE pair ->> stated.side = %(name)s
      AND (stated.side = 'output' OR (pair ->> 'dataset')::uuid = name.uuid)
)
