-- name: renamed
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

-- name: earlier_names
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

-- name: stated_names
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

-- name: datasets_of_keys
-- Whose some names are, by their keys.
SELECT key.uuid::text AS key_uuid, coalesce(known.uuid, key.uuid)::text AS dataset_uuid
FROM unnest(%(keys)s::uuid[]) AS key (uuid)
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = key.uuid

-- name: called_otherwise
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
