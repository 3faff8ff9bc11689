-- name: impact/taken
-- Which columns of some datasets jobs now take, and into which columns of which datasets, by the descriptions of columns that hold:
-- the two lists of a row belong together. A dataset that has ended is taken by no job but for those that named it again. What a
-- description states is looked at last, so that nothing else is asked once for each pair of columns.
WITH stated AS MATERIALIZED (
    SELECT
        edge.job_uuid, coalesce(known_made.uuid, edge.name_uuid) AS made_uuid, asked.uuid AS origin_uuid, name.uuid AS name_uuid,
        edge.lineage_uuid
    FROM unnest(%(datasets)s::uuid[]) AS asked (uuid)
    JOIN datasets AS origin ON origin.uuid = asked.uuid AND origin.is_hidden IS NOT TRUE
    CROSS JOIN LATERAL (
        SELECT asked.uuid
        UNION
        SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = asked.uuid
    ) AS name
    JOIN column_lineage_inputs AS input ON input.name_uuid = name.uuid
    JOIN job_edges AS edge
        ON edge.lineage_uuid = input.lineage_uuid
       AND edge.until_event = '\xff'
       AND edge.lineage_uuid <> '00000000-0000-0000-0000-000000000000'
    JOIN jobs AS job ON job.uuid = edge.job_uuid AND job.is_hidden IS NOT TRUE
    LEFT JOIN identity_map AS known_made ON known_made.entity = 'datasets' AND known_made.key_uuid = edge.name_uuid
    WHERE NOT EXISTS (
        SELECT
        FROM endings_of(ARRAY[asked.uuid]) AS ending
        WHERE NOT EXISTS (
            SELECT
            FROM job_version_timeline AS moment
            WHERE moment.job_uuid = edge.job_uuid AND moment.event_order > ending.event_order
        )
    )
)
SELECT
    stated.job_uuid::text AS job,
    stated.made_uuid::text AS made,
    stated.origin_uuid::text AS origin,
    array_agg(pair.output ORDER BY pair.output COLLATE "C", pair.field COLLATE "C") AS made_columns,
    array_agg(pair.field ORDER BY pair.output COLLATE "C", pair.field COLLATE "C") AS taken_columns
FROM stated
JOIN dataset_column_lineages AS described ON described.uuid = stated.lineage_uuid
CROSS JOIN LATERAL jsonb_to_recordset(described.pairs) AS pair (output text, dataset uuid, field text)
WHERE pair.dataset = stated.name_uuid
GROUP BY stated.job_uuid, stated.made_uuid, stated.origin_uuid
ORDER BY stated.job_uuid, stated.made_uuid, stated.origin_uuid
LIMIT %(most)s

-- name: impact/dotted_columns
-- The columns of some datasets that have a dot in their names: in such a text a dot does not lead into a column.
SELECT dataset_uuid::text AS dataset, name::text AS name
FROM dataset_fields
WHERE dataset_uuid = ANY (%(datasets)s::uuid[]) AND position('.' IN name) > 0

-- name: impact/distinct_columns
-- The columns of a dataset that an event has described beside others whose names differ in capitals alone, by any name of the dataset.
SELECT DISTINCT unnest(beside.names) AS name
FROM (
    SELECT %(dataset)s::uuid AS uuid
    UNION
    SELECT key_uuid FROM identity_map WHERE entity = 'datasets' AND uuid = %(dataset)s
) AS key
JOIN dataset_schemas AS described ON described.own_name_uuid = key.uuid
CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT field.name COLLATE "C") AS names
    FROM jsonb_to_recordset(described.fields) AS field (name text)
    GROUP BY ignoring_case(field.name)
    HAVING count(DISTINCT field.name COLLATE "C") > 1
) AS beside

-- name: impact/has_column
-- Whether any event has named a column of a dataset, or one around it.
SELECT EXISTS (
    SELECT
    FROM dataset_fields
    WHERE dataset_uuid = %(dataset)s AND (name = %(column)s OR %(column)s ^@ (name || '.'))
)

-- name: impact/schema_by_readers
-- The last fields that any event gives of a dataset, for one that no event has written or declared.
SELECT fields::text
FROM dataset_versions
WHERE dataset_uuid = %(dataset)s AND jsonb_array_length(fields) > 0
ORDER BY created_at DESC, uuid
LIMIT 1

-- name: impact/owners
-- Who owns each of some consumers: owners of the job, else of the dataset that it makes, else of the namespace of the job. The last
-- is anonymous until a person says who it is.
SELECT
    asked.number,
    coalesce(
        nullif(
            array_to_string(
                ARRAY(
                    SELECT DISTINCT owner.name COLLATE "C"
                    FROM job_ownerships AS owned
                    JOIN owners AS owner ON owner.uuid = owned.owner_uuid
                    WHERE owned.job_uuid = asked.job
                    ORDER BY owner.name COLLATE "C"
                ),
                ', '
            ),
            ''
        ),
        nullif(
            array_to_string(
                ARRAY(
                    SELECT DISTINCT owner.name COLLATE "C"
                    FROM dataset_ownerships AS owned
                    JOIN owners AS owner ON owner.uuid = owned.owner_uuid
                    WHERE owned.dataset_uuid = asked.dataset
                    ORDER BY owner.name COLLATE "C"
                ),
                ', '
            ),
            ''
        ),
        nullif(namespace.current_owner_name, 'anonymous')
    ) AS owner
FROM unnest(%(jobs)s::uuid[], %(datasets)s::uuid[]) WITH ORDINALITY AS asked (job, dataset, number)
JOIN jobs AS job ON job.uuid = asked.job
JOIN namespaces AS namespace ON namespace.uuid = job.namespace_uuid

-- name: impact/last_moments
-- The last moment of each of some jobs.
SELECT asked.job::text, last_moment.event_order
FROM unnest(%(jobs)s::uuid[]) AS asked (job)
CROSS JOIN LATERAL (
    SELECT moment.event_order
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = asked.job
    ORDER BY moment.event_order DESC
    LIMIT 1
) AS last_moment
