-- Columns that nothing names once all else has gone.

-- staying_fields: the columns that a description names that stays, a schema version, column lineage, or a person. Those of a dataset
-- that goes, go with it.
CREATE TEMP TABLE staying_fields AS
SELECT coalesce(known.uuid, field.uuid) AS uuid
FROM dataset_schemas AS stored
LEFT JOIN leaving_dataset_schemas AS leaving USING (uuid)
CROSS JOIN LATERAL jsonb_to_recordset(stored.keyed_fields) AS field (uuid uuid)
LEFT JOIN identity_map AS known ON known.entity = 'dataset_fields' AND known.key_uuid = field.uuid
WHERE leaving.uuid IS NULL
UNION
SELECT mapping.dataset_field_uuid
FROM dataset_schema_versions_field_mapping AS mapping
LEFT JOIN leaving_schema_versions AS leaving ON leaving.uuid = mapping.dataset_schema_version_uuid
WHERE leaving.uuid IS NULL
UNION
SELECT named.uuid
FROM column_lineage_pairs AS stored
LEFT JOIN leaving_column_lineage_pairs AS leaving ON leaving.uuid = stored.pairs_uuid
CROSS JOIN LATERAL (VALUES (stored.output_dataset_field_uuid), (stored.input_dataset_field_uuid)) AS named (uuid)
WHERE leaving.uuid IS NULL
UNION
SELECT dataset_field_uuid FROM dataset_fields_tag_mapping WHERE NOT is_reported
UNION
SELECT field.uuid
FROM dataset_fields AS field
JOIN (SELECT uuid FROM datasets_held UNION SELECT uuid FROM leaving_datasets) AS dataset ON dataset.uuid = field.dataset_uuid;

-- The old mapping is a view of the new one, unless the store was made with it.
DO $$
BEGIN
    IF (SELECT relkind = 'r' FROM pg_class WHERE oid = 'public.dataset_versions_field_mapping'::regclass) THEN
        INSERT INTO staying_fields
        SELECT mapping.dataset_field_uuid
        FROM dataset_versions_field_mapping AS mapping
        LEFT JOIN leaving_versions AS leaving ON leaving.uuid = mapping.dataset_version_uuid
        WHERE leaving.uuid IS NULL;
    END IF;
END
$$;

-- leaving_dataset_fields: columns that an event has described, and that nothing names any more.
CREATE TEMP TABLE leaving_dataset_fields AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM dataset_fields AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND stored.first_event IS NOT NULL
  AND NOT EXISTS (SELECT FROM staying_fields AS staying WHERE staying.uuid = stored.uuid);
