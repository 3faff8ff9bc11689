-- Contents that nothing names once all else has gone. An event or a mention of a run that goes names none: what is left of it are
-- facts.

-- staying_mentions: what the mentions that stay name.
CREATE TEMP TABLE staying_mentions AS
SELECT DISTINCT
    mention.schema_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.facets_uuid END AS facets_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.io_facets_uuid END AS io_facets_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.lineage_uuid END AS lineage_uuid
FROM dataset_mentions AS mention
LEFT JOIN leaving_runs AS leaving ON leaving.uuid = mention.run_uuid
LEFT JOIN old_job_events AS event ON event.event_order = mention.event_order AND mention.run_uuid IS NULL
LEFT JOIN leaving_mentions AS going
    ON (going.dataset_uuid, going.role, going.event_order, going.place)
        = (mention.dataset_uuid, mention.role, mention.event_order, mention.place)
WHERE going.number IS NULL;

ANALYZE staying_mentions;

-- staying_sets: the sets of facets that something names that stays.
CREATE TEMP TABLE staying_sets AS
SELECT named.uuid
FROM event_ledger AS ledger
CROSS JOIN LATERAL (VALUES (ledger.run_facets_uuid), (ledger.job_facets_uuid)) AS named (uuid)
LEFT JOIN leaving_runs AS leaving ON leaving.uuid = ledger.run_uuid
LEFT JOIN leaving_events AS going ON going.event_order = ledger.event_order
LEFT JOIN old_job_events AS old ON old.event_order = ledger.event_order
WHERE named.uuid IS NOT NULL AND leaving.uuid IS NULL AND going.number IS NULL AND old.number IS NULL
UNION
SELECT named.uuid
FROM staying_mentions AS mention
CROSS JOIN LATERAL (VALUES (mention.facets_uuid), (mention.io_facets_uuid)) AS named (uuid)
WHERE named.uuid IS NOT NULL;

ANALYZE staying_sets;

-- leaving_facet_sets: sets of facets that nothing names.
CREATE TEMP TABLE leaving_facet_sets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM facet_sets AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_sets AS staying WHERE staying.uuid = stored.uuid);

-- leaving_facets: facets that no set names, nor a run that keeps one.
CREATE TEMP TABLE leaving_facets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM (
    SELECT uuid FROM facets
    EXCEPT
    SELECT listed.uuid
    FROM facet_sets AS stored
    JOIN staying_sets USING (uuid)
    CROSS JOIN LATERAL unnest(stored.facets) AS listed (uuid)
    EXCEPT
    SELECT kept.facet_uuid
    FROM run_facets_kept_once AS kept
    WHERE NOT EXISTS (SELECT FROM leaving_runs AS leaving WHERE leaving.uuid = kept.run_uuid)
) AS unnamed
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents');

-- leaving_dataset_schemas: schemas that no mention describes.
CREATE TEMP TABLE leaving_dataset_schemas AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM dataset_schemas AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_mentions AS staying WHERE staying.schema_uuid = stored.uuid);

-- leaving_dataset_column_lineages: descriptions of columns that no mention gives.
CREATE TEMP TABLE leaving_dataset_column_lineages AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM dataset_column_lineages AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_mentions AS staying WHERE staying.lineage_uuid = stored.uuid);

-- leaving_column_lineage_pairs: lists of pairs that hold between no versions.
CREATE TEMP TABLE leaving_column_lineage_pairs AS
SELECT pairs_uuid AS uuid, row_number() OVER (ORDER BY pairs_uuid) AS number
FROM (
    SELECT pairs_uuid FROM column_lineage_pairs
    EXCEPT
    SELECT stored.pairs_uuid
    FROM column_lineage_versions AS stored
    LEFT JOIN leaving_lineages AS leaving USING (output_dataset_version_uuid, input_dataset_version_uuid)
    WHERE leaving.number IS NULL
) AS unnamed
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents');

-- leaving_run_args: arguments that no run has.
CREATE TEMP TABLE leaving_run_args AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM run_args AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND stored.checksum <> encode(sha256(''), 'hex')
  AND NOT EXISTS (
      SELECT
      FROM runs AS run
      WHERE run.run_args_uuid = stored.uuid AND NOT EXISTS (SELECT FROM leaving_runs AS leaving WHERE leaving.uuid = run.uuid)
  );
