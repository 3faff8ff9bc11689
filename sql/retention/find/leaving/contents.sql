-- Other contents that nothing names once all else has gone.

-- leaving_facets: facets that no set names that stays, nor a run that keeps one.
CREATE TEMP TABLE leaving_facets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM (
    SELECT uuid FROM facets
    EXCEPT
    SELECT listed.uuid
    FROM facet_sets AS stored
    LEFT JOIN leaving_facet_sets AS leaving USING (uuid)
    CROSS JOIN LATERAL unnest(stored.facets) AS listed (uuid)
    WHERE leaving.uuid IS NULL
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
