-- name: of_outputs
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

-- name: of_inputs
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

-- name: pairs
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

-- name: pair_intervals
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

-- name: lost_descriptions
-- Whether a description of columns is gone that an edge of then has.
SELECT EXISTS (
    SELECT
    FROM pg_temp.job_edges_then AS edge
    WHERE edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
      AND NOT EXISTS (SELECT FROM dataset_column_lineages AS described WHERE described.uuid = edge.lineage_uuid)
)
