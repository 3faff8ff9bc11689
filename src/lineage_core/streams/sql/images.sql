-- name: images/column_lineage
-- The pairs of columns that hold between dataset versions. A list that has moved is in both tables until its removal is published.
SELECT
    versions.commit_number,
    versions.copies,
    versions.output_dataset_version_uuid,
    pair.output_dataset_field_uuid,
    versions.input_dataset_version_uuid,
    pair.input_dataset_field_uuid,
    pair.transformation_description,
    pair.transformation_type,
    coalesce(pair.created_at, versions.created_at) AT TIME ZONE 'UTC' AS created_at
FROM {column_lineage_versions} AS versions
JOIN (
    SELECT listed.pairs_uuid, one.*
    FROM {column_lineage_lists} AS listed
    CROSS JOIN LATERAL unnest(
        listed.output_field_uuids,
        listed.input_field_uuids,
        listed.transformation_descriptions,
        listed.transformation_types,
        listed.first_stated_at
    ) AS one (
        output_dataset_field_uuid, input_dataset_field_uuid, transformation_description, transformation_type, created_at
    )
    UNION ALL
    SELECT
        waiting.pairs_uuid,
        waiting.output_dataset_field_uuid,
        waiting.input_dataset_field_uuid,
        waiting.transformation_description,
        waiting.transformation_type,
        waiting.created_at
    FROM {column_pairs_to_move} AS waiting
    WHERE NOT EXISTS (SELECT FROM {column_lineage_lists} AS listed WHERE listed.pairs_uuid = waiting.pairs_uuid)
) AS pair ON pair.pairs_uuid = versions.pairs_uuid

-- name: images/dataset_facets
-- The facets of datasets, of the mentions that have them.
SELECT
    mention.commit_number,
    mention.copies,
    mention.event_time AS created_at,
    mention.dataset_uuid,
    mention.version_uuid AS dataset_version_uuid,
    mention.run_uuid,
    mention.event_time AS lineage_event_time,
    mention.lineage_event_type,
    coalesce(named.type, dataset_facet_type(content.name)) AS type,
    content.name,
    content.facet
FROM {dataset_mentions} AS mention
CROSS JOIN LATERAL (
    VALUES
        (mention.facets_uuid, NULL),
        (mention.io_facets_uuid, CASE mention.role WHEN input_role() THEN 'INPUT' ELSE 'OUTPUT' END)
) AS named (set_uuid, type)
JOIN {facet_sets} AS facet_set ON facet_set.uuid = named.set_uuid
CROSS JOIN LATERAL unnest(facet_set.facets) AS listed (facet_uuid)
JOIN {facets} AS content ON content.uuid = listed.facet_uuid
WHERE NOT mention.is_purged

-- name: images/dataset_schema_versions_field_mapping
-- The columns of schema versions. One that moves into its schema version goes and comes in one transaction, which is no change.
SELECT version.commit_number, version.copies, version.uuid AS dataset_schema_version_uuid, listed.field_uuid AS dataset_field_uuid
FROM {dataset_schema_versions} AS version
CROSS JOIN LATERAL unnest(version.field_uuids) AS listed (field_uuid)
UNION ALL
SELECT commit_number, copies, dataset_schema_version_uuid, dataset_field_uuid
FROM {schema_fields_to_move} AS waiting

-- name: images/job_facets
-- The facets of jobs, of the events that name them.
SELECT
    ledger.commit_number,
    ledger.copies,
    ledger.event_time AS created_at,
    ledger.job_uuid,
    ledger.run_uuid,
    ledger.event_time AS lineage_event_time,
    ledger.lineage_event_type,
    content.name,
    content.facet
FROM {event_ledger} AS ledger
JOIN {facet_sets} AS facet_set ON facet_set.uuid = ledger.job_facets_uuid
CROSS JOIN LATERAL unnest(facet_set.facets) AS listed (facet_uuid)
JOIN {facets} AS content ON content.uuid = listed.facet_uuid

-- name: images/run_facets
-- The facets of runs, of the events and of what is kept once a run.
SELECT
    stated.commit_number,
    stated.copies,
    stated.event_time AS created_at,
    stated.run_uuid,
    stated.event_time AS lineage_event_time,
    stated.lineage_event_type,
    content.name,
    content.facet
FROM (
    SELECT
        ledger.commit_number,
        ledger.copies,
        ledger.event_time,
        ledger.run_uuid,
        coalesce(ledger.lineage_event_type, '') AS lineage_event_type,
        listed.facet_uuid
    FROM {event_ledger} AS ledger
    JOIN {facet_sets} AS facet_set ON facet_set.uuid = ledger.run_facets_uuid
    CROSS JOIN LATERAL unnest(facet_set.facets) AS listed (facet_uuid)
    UNION ALL
    SELECT commit_number, copies, event_time, run_uuid, lineage_event_type, facet_uuid
    FROM {run_facets_kept_once} AS kept
) AS stated
JOIN {facets} AS content ON content.uuid = stated.facet_uuid
