-- name: read_since
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

-- name: names_of
-- Every name of some datasets, by its key, and whether it is the own name of its dataset.
SELECT DISTINCT name_uuid::text AS key, dataset_uuid::text AS dataset, name_uuid = dataset_uuid AS is_own
FROM dataset_symlinks
WHERE dataset_uuid = ANY (%(uuids)s::uuid[])

-- name: datasets_elsewhere
-- The datasets that have some names, by the keys of these, and what they are called here.
SELECT name.key::text, dataset.uuid::text, dataset.namespace_name AS namespace, dataset.name
FROM unnest(%(keys)s::uuid[]) AS name (key)
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.key
JOIN datasets AS dataset ON dataset.uuid = coalesce(known.uuid, name.key)
