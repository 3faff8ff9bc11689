-- name: graph/settings
-- A graph looks up a few keys beside what is stored: joins that read all of an index are never the faster ones, whatever statistics say.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;
-- What workers would read is less than what it takes to start them.
SET LOCAL max_parallel_workers_per_gather = 0

-- name: graph/dataset
-- The dataset of a name, by its key; null if no event has named it.
SELECT dataset.uuid::text
FROM (SELECT %(key)s::uuid AS uuid) AS name
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.uuid
JOIN datasets AS dataset ON dataset.uuid = coalesce(known.uuid, name.uuid)

-- name: graph/job
-- The job of a name: its own, an earlier one, or that of a job in whose place a person has put it.
SELECT coalesce(job.symlink_target_uuid, job.uuid)::text
FROM jobs AS job
WHERE job.namespace_name = %(namespace)s
  AND (job.name = %(name)s OR %(name)s::text = ANY (job.aliases))
ORDER BY job.name <> %(name)s, job.uuid
LIMIT 1

-- name: graph/of_datasets
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

-- name: graph/read_since
-- Those of some datasets that a job reads, or has read behind a place in the order of events.
SELECT DISTINCT name.dataset_uuid::text
FROM (
    SELECT asked.uuid AS dataset_uuid, asked.uuid FROM unnest(%(datasets)s::uuid[]) AS asked (uuid)
    UNION
    SELECT known.uuid, known.key_uuid
    FROM identity_map AS known
    WHERE known.entity = 'datasets' AND known.uuid = ANY (%(datasets)s::uuid[])
) AS name
JOIN job_edges AS edge ON edge.name_uuid = name.uuid
WHERE edge.until_event >= %(since)s
  AND edge.role = input_role()
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
-- Of the edges that are stored, those to and from the first things by their ids, `most` of them.
SELECT edge.job_uuid::text, edge.dataset_uuid::text, edge.role, edge.since_event, edge.until_event
FROM (
    SELECT stored.*, dense_rank() OVER (ORDER BY other_uuid) AS place
    FROM ({stored}) AS stored
) AS edge
WHERE edge.place <= %(most)s

-- name: graph/things
-- What some jobs and datasets are called, whether a person has hidden them, and which of these datasets have more than one name.
SELECT uuid::text, namespace_name AS namespace, name, is_hidden IS TRUE AS is_hidden, false AS has_several_names
FROM jobs
WHERE uuid = ANY (%(jobs)s::uuid[])
UNION ALL
SELECT
    dataset.uuid::text,
    dataset.namespace_name,
    dataset.name,
    dataset.is_hidden IS TRUE,
    EXISTS (
        SELECT
        FROM identity_map AS known
        WHERE known.entity = 'datasets' AND known.uuid = dataset.uuid AND known.key_uuid <> dataset.uuid
    )
FROM datasets AS dataset
WHERE dataset.uuid = ANY (%(datasets)s::uuid[])

-- name: graph/endings
-- Where some datasets ended, of those that did: the last time before a moment, and the first from it on.
SELECT
    ending.dataset_uuid::text,
    -- Before version 18 Postgres has no max() of bytea; in hexadecimal digits, "C" orders as the bytes do.
    decode(max(ending.hex) FILTER (WHERE ending.event_order < %(before)s), 'hex') AS last_event,
    decode(min(ending.hex) FILTER (WHERE ending.event_order >= %(before)s), 'hex') AS next_event
FROM (
    SELECT dataset_uuid, event_order, encode(event_order, 'hex') COLLATE "C" AS hex
    FROM {endings_of}(%(datasets)s::uuid[])
) AS ending
GROUP BY ending.dataset_uuid

-- name: graph/endings_now
-- The function that says when datasets ended.
public.endings_of

-- name: graph/endings_then
-- That of a session that shows what was known at another moment.
pg_temp.endings_of

-- name: graph/resumed
-- The first moment of each of some jobs behind an event.
SELECT asked.number, resumed.event_order
FROM unnest(%(jobs)s::uuid[], %(behind)s::bytea[]) WITH ORDINALITY AS asked (job_uuid, behind, number)
CROSS JOIN LATERAL (
    SELECT moment.event_order
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = asked.job_uuid AND moment.event_order > asked.behind
    ORDER BY moment.event_order
    LIMIT 1
) AS resumed

-- name: graph/intervals
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

-- name: graph/runs_of_events
-- The runs of some events, of those that are of one and that retention has not deleted.
SELECT event_order, run_uuid::text FROM event_ledger WHERE event_order = ANY (%(orders)s::bytea[]) AND run_uuid IS NOT NULL

-- name: graph/renamed
-- What became of the names of some datasets between two places in the order of events: each followed from what ended it first, through
-- all that it was renamed to. One that was dropped in the end is no dataset of then.
WITH RECURSIVE followed AS (
    SELECT asked.uuid AS dataset_uuid, name.uuid AS name_uuid, ending.renamed_to, ending.event_order
    FROM unnest(%(asked)s::uuid[]) AS asked (uuid)
    CROSS JOIN LATERAL (
        SELECT asked.uuid
        UNION
        SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.uuid
    ) AS name
    CROSS JOIN LATERAL (
        SELECT stored.renamed_to, stored.event_order
        FROM dataset_endings AS stored
        WHERE stored.name_uuid = name.uuid AND stored.event_order >= %(since)s AND stored.event_order < %(until)s
        ORDER BY stored.event_order
        LIMIT 1
    ) AS ending
    UNION ALL
    SELECT followed.dataset_uuid, followed.name_uuid, ending.renamed_to, ending.event_order
    FROM followed
    CROSS JOIN LATERAL (
        SELECT stored.renamed_to, stored.event_order
        FROM dataset_endings AS stored
        WHERE stored.name_uuid = followed.renamed_to
          AND stored.event_order > followed.event_order
          AND stored.event_order < %(until)s
        ORDER BY stored.event_order
        LIMIT 1
    ) AS ending
),
last AS (
    SELECT DISTINCT ON (dataset_uuid, name_uuid) dataset_uuid, name_uuid, renamed_to, event_order
    FROM followed
    ORDER BY dataset_uuid, name_uuid, event_order DESC
)
SELECT
    last.dataset_uuid::text AS from_uuid,
    earlier.namespace_name AS from_namespace,
    earlier.name AS from_name,
    coalesce(known.uuid, last.renamed_to)::text AS to_uuid,
    later.namespace_name AS to_namespace,
    later.name AS to_name,
    last.event_order
FROM last
JOIN dataset_names AS earlier ON earlier.uuid = last.name_uuid
JOIN dataset_names AS later ON later.uuid = last.renamed_to
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = last.renamed_to
WHERE last.renamed_to <> last.name_uuid
ORDER BY last.event_order, last.dataset_uuid, last.name_uuid

-- name: graph/earlier_names
-- Datasets that a job read or wrote at a moment and that may have become one until a later: by renames, or as a job of theirs reads or
-- writes this one instead. The spans of a name are asked for by each role, as the index has them, here and below: OFFSET 0 keeps the
-- role out of the join, where it would be a filter behind the index.
WITH RECURSIVE name AS (
    SELECT %(asked)s::uuid AS uuid
    UNION
    SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = %(asked)s
),
followed AS (
    SELECT name.uuid FROM name
    UNION
    SELECT ending.name_uuid
    FROM followed
    JOIN dataset_endings AS ending ON ending.renamed_to = followed.uuid
    WHERE ending.event_order >= %(since)s AND ending.event_order < %(until)s
),
earlier AS (
    SELECT edge.name_uuid
    FROM followed
    CROSS JOIN (VALUES (input_role()), (output_role())) AS used (role)
    CROSS JOIN LATERAL (
        SELECT stored.name_uuid
        FROM job_edges AS stored
        WHERE stored.name_uuid = followed.uuid
          AND stored.role = used.role
          AND stored.until_event >= %(since)s
          AND stored.since_event < %(since)s
        OFFSET 0
    ) AS edge
    UNION
    SELECT edge.name_uuid
    FROM name
    CROSS JOIN (VALUES (input_role()), (output_role())) AS used (role)
    CROSS JOIN LATERAL (
        SELECT stored.job_uuid, stored.role
        FROM job_edges AS stored
        WHERE stored.name_uuid = name.uuid
          AND stored.role = used.role
          AND stored.until_event >= %(until)s
          AND stored.since_event >= %(since)s
          AND stored.since_event < %(until)s
        OFFSET 0
    ) AS later
    JOIN job_edges AS edge ON edge.job_uuid = later.job_uuid AND edge.role = later.role
    WHERE edge.until_event >= %(since)s AND edge.since_event < %(since)s
)
SELECT DISTINCT coalesce(known.uuid, earlier.name_uuid)::text
FROM earlier
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = earlier.name_uuid

-- name: graph/stated_names
-- Of jobs that read or wrote some datasets at a moment: which other names the datasets have that they read or wrote at a later one and
-- had not yet at the first, by what the runs state that began so. Whose these names are follows from their keys.
WITH begun AS (
    SELECT DISTINCT asked.uuid AS from_uuid, later.name_uuid, later.since_event
    FROM unnest(%(asked)s::uuid[]) AS asked (uuid)
    CROSS JOIN LATERAL (
        SELECT asked.uuid
        UNION
        SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.uuid
    ) AS name
    CROSS JOIN (VALUES (input_role()), (output_role())) AS used (role)
    CROSS JOIN LATERAL (
        SELECT stored.job_uuid, stored.role
        FROM job_edges AS stored
        WHERE stored.name_uuid = name.uuid
          AND stored.role = used.role
          AND stored.lineage_uuid = '00000000-0000-0000-0000-000000000000'
          AND stored.until_event >= %(since)s
          AND stored.since_event < %(since)s
        OFFSET 0
    ) AS earlier
    JOIN job_edges AS later
        ON later.job_uuid = earlier.job_uuid
       AND later.role = earlier.role
       AND later.lineage_uuid = '00000000-0000-0000-0000-000000000000'
       AND later.until_event >= %(until)s
       AND later.since_event >= %(since)s
       AND later.since_event < %(until)s
)
SELECT DISTINCT
    begun.from_uuid::text,
    identifier ->> 'namespace' AS from_namespace,
    identifier ->> 'name' AS from_name,
    coalesce(known.uuid, begun.name_uuid)::text AS to_uuid,
    named.namespace_name AS to_namespace,
    named.name AS to_name,
    begun.since_event AS event_order
FROM begun
JOIN event_ledger AS event ON event.event_order = begun.since_event
CROSS JOIN LATERAL (
    SELECT mention.facets_uuid
    FROM dataset_mentions AS mention
    WHERE mention.run_uuid = event.run_uuid
      AND mention.event_order <= begun.since_event
      AND mention.name_uuid = begun.name_uuid
    UNION
    SELECT mention.facets_uuid
    FROM dataset_mentions AS mention
    WHERE mention.run_uuid IS NULL AND mention.event_order = begun.since_event AND mention.name_uuid = begun.name_uuid
) AS mentioned
JOIN facet_sets AS listed ON listed.uuid = mentioned.facets_uuid
JOIN facets AS stated ON stated.uuid = ANY (listed.facets) AND stated.name = 'symlinks'
CROSS JOIN LATERAL jsonb_path_query(stated.facet, '$.symlinks.identifiers[*]') AS identifier
JOIN dataset_names AS named ON named.uuid = begun.name_uuid
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = begun.name_uuid
ORDER BY event_order

-- name: graph/datasets_of_keys
-- Whose some names are, by their keys.
SELECT key.uuid::text AS key_uuid, coalesce(known.uuid, key.uuid)::text AS dataset_uuid
FROM unnest(%(keys)s::uuid[]) AS key (uuid)
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = key.uuid

-- name: graph/called_otherwise
-- Of datasets with several names: by which a job called one at a moment, and by which at a later one, where it used neither at the
-- other. The event is the first from which on a job did so.
WITH name AS MATERIALIZED (
    SELECT known.uuid AS dataset_uuid, name.uuid
    FROM identity_map AS known
    CROSS JOIN LATERAL (VALUES (known.uuid), (known.key_uuid)) AS name (uuid)
    WHERE known.entity = 'datasets' AND known.uuid = ANY (%(asked)s::uuid[])
    GROUP BY known.uuid, name.uuid
),
called AS (
    SELECT DISTINCT ON (later_name.dataset_uuid, earlier.name_uuid, later.name_uuid)
        later_name.dataset_uuid,
        earlier.name_uuid AS earlier_uuid,
        later.name_uuid AS later_uuid,
        later.since_event
    FROM name AS earlier_name
    CROSS JOIN (VALUES (input_role()), (output_role())) AS used (role)
    CROSS JOIN LATERAL (
        SELECT stored.job_uuid, stored.role, stored.name_uuid
        FROM job_edges AS stored
        WHERE stored.name_uuid = earlier_name.uuid
          AND stored.role = used.role
          AND stored.lineage_uuid = '00000000-0000-0000-0000-000000000000'
          AND stored.until_event >= %(since)s
          AND stored.since_event < %(since)s
        OFFSET 0
    ) AS earlier
    JOIN name AS later_name
        ON later_name.dataset_uuid = earlier_name.dataset_uuid AND later_name.uuid <> earlier_name.uuid
    CROSS JOIN LATERAL (
        -- By its whole key, as in graph/intervals.
        SELECT stored.name_uuid, stored.since_event
        FROM job_edges AS stored
        WHERE stored.job_uuid = earlier.job_uuid
          AND stored.role = earlier.role
          AND stored.name_uuid = later_name.uuid
          AND stored.lineage_uuid = '00000000-0000-0000-0000-000000000000'
          AND stored.until_event >= %(until)s
          AND stored.since_event >= %(since)s
          AND stored.since_event < %(until)s
        OFFSET 0
    ) AS later
    WHERE NOT EXISTS (
        SELECT
        FROM job_edges AS still
        WHERE still.job_uuid = earlier.job_uuid
          AND still.role = earlier.role
          AND still.lineage_uuid = '00000000-0000-0000-0000-000000000000'
          AND (
              (still.name_uuid = earlier.name_uuid AND still.until_event >= %(until)s AND still.since_event < %(until)s)
              OR (still.name_uuid = later.name_uuid AND still.until_event >= %(since)s AND still.since_event < %(since)s)
          )
    )
    ORDER BY later_name.dataset_uuid, earlier.name_uuid, later.name_uuid, later.since_event
)
SELECT
    called.dataset_uuid::text AS from_uuid,
    earlier.namespace_name AS from_namespace,
    earlier.name AS from_name,
    called.dataset_uuid::text AS to_uuid,
    later.namespace_name AS to_namespace,
    later.name AS to_name,
    called.since_event AS event_order
FROM called
JOIN dataset_names AS earlier ON earlier.uuid = called.earlier_uuid
JOIN dataset_names AS later ON later.uuid = called.later_uuid
ORDER BY called.since_event, called.dataset_uuid, called.earlier_uuid, called.later_uuid

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
FROM unnest(%(datasets)s::uuid[], %(columns)b::text[]) AS asked (dataset_uuid, name)
CROSS JOIN LATERAL (
    SELECT asked.dataset_uuid
    UNION
    SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.dataset_uuid
) AS output (uuid)
JOIN job_edges AS edge ON edge.name_uuid = output.uuid AND edge.role = output_role()
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
FROM unnest(%(datasets)s::uuid[], %(columns)b::text[]) AS asked (dataset_uuid, name)
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
-- Of the pairs of columns that are stored, those to and from the first columns by their ids, `most` of them.
SELECT
    pair.job_uuid::text,
    pair.output_uuid::text,
    pair.output_column,
    pair.input_uuid::text,
    pair.input_column,
    pair.since_event,
    pair.until_event
FROM (
    SELECT stored.*, dense_rank() OVER (ORDER BY other_uuid, other_column COLLATE "C") AS place
    FROM ({stored}) AS stored
) AS pair
WHERE pair.place <= %(most)s

-- name: graph/pair_intervals
-- All that is stored of some pairs of columns, in whichever description, under whichever name of the datasets.
SELECT asked.number, edge.since_event, edge.until_event
FROM unnest(
    %(jobs)s::uuid[], %(outputs)s::uuid[], %(output_columns)b::text[], %(inputs)s::uuid[], %(input_columns)b::text[]
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
        WHERE edge.name_uuid = name.uuid
          AND edge.role = output_role()
          AND edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
    ) AS stated
    JOIN dataset_column_lineages AS described ON described.uuid = stated.lineage_uuid
    CROSS JOIN LATERAL jsonb_array_elements(described.pairs) AS pair
    WHERE pair ->> stated.side = %(name)s
      AND (stated.side = 'output' OR (pair ->> 'dataset')::uuid = name.uuid)
)

-- name: graph/names_of
-- Every name of some datasets, by its key, and whether it is the own name of its dataset.
SELECT DISTINCT name_uuid::text AS key, dataset_uuid::text AS dataset, name_uuid = dataset_uuid AS is_own
FROM dataset_symlinks
WHERE dataset_uuid = ANY (%(uuids)s::uuid[])

-- name: graph/datasets_elsewhere
-- The datasets that have some names, by the keys of these, and what they are called here.
SELECT name.key::text, dataset.uuid::text, dataset.namespace_name AS namespace, dataset.name
FROM unnest(%(keys)s::uuid[]) AS name (key)
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.key
JOIN datasets AS dataset ON dataset.uuid = coalesce(known.uuid, name.key)
