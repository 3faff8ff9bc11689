-- name: dataset
-- The dataset of a name, by its key; null if no event has named it.
SELECT dataset.uuid::text
FROM (SELECT %(key)s::uuid AS uuid) AS name
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.uuid
JOIN datasets AS dataset ON dataset.uuid = coalesce(known.uuid, name.uuid)

-- name: job
-- The job of a name: its own, an earlier one, or that of a job in whose place a person has put it.
SELECT coalesce(job.symlink_target_uuid, job.uuid)::text
FROM jobs AS job
WHERE job.namespace_name = %(namespace)s
  AND (job.name = %(name)s OR %(name)s::text = ANY (job.aliases))
ORDER BY job.name <> %(name)s, job.uuid
LIMIT 1

-- name: has_column
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
