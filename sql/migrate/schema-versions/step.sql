-- One transaction of the migration: the next versions after a key get the schema version of the fields that their old
-- mapping holds. Answers with the last key that is done, how many versions were looked at, and how many changed.

-- The versions, each with its fields. Both tables are read in the order of the key.
WITH chunk AS MATERIALIZED (
    SELECT uuid, dataset_uuid, created_at, dataset_schema_version_uuid
    FROM dataset_versions
    WHERE (%(after)s::uuid IS NULL OR uuid > %(after)s::uuid) AND uuid <= %(until)s::uuid
    ORDER BY uuid
    LIMIT %(rows)s
),
mapped AS (
    SELECT dataset_version_uuid AS uuid, array_agg(dataset_field_uuid ORDER BY dataset_field_uuid) AS fields
    FROM dataset_versions_field_mapping
    WHERE (%(after)s::uuid IS NULL OR dataset_version_uuid > %(after)s::uuid)
      AND dataset_version_uuid <= (SELECT uuid FROM chunk ORDER BY uuid DESC LIMIT 1)
    GROUP BY dataset_version_uuid
)
INSERT INTO batch_versions (uuid, dataset_uuid, created_at, was, fields, digest)
SELECT
    chunk.uuid,
    chunk.dataset_uuid,
    chunk.created_at,
    chunk.dataset_schema_version_uuid,
    coalesce(mapped.fields, '{}'),
    sha256(convert_to(concat(chunk.dataset_uuid, mapped.fields), 'UTF8'))
FROM chunk
LEFT JOIN mapped USING (uuid);

-- Sets of fields that this session has not met. An id follows from the names and types alone.
INSERT INTO batch_schemas (digest, uuid, dataset_uuid, fields)
SELECT
    met.digest,
    schema_version_uuid(namespaces.name, datasets.name, described.names, described.types),
    met.dataset_uuid,
    met.fields
FROM (SELECT DISTINCT ON (digest) digest, dataset_uuid, fields FROM batch_versions) AS met
JOIN datasets ON datasets.uuid = met.dataset_uuid
JOIN namespaces ON namespaces.uuid = datasets.namespace_uuid
CROSS JOIN LATERAL (
    SELECT array_agg(name) AS names, array_agg(type) AS types
    FROM dataset_fields
    WHERE uuid = ANY (met.fields)
) AS described
WHERE NOT EXISTS (SELECT FROM known_schemas WHERE known_schemas.digest = met.digest);

INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)
SELECT batch_schemas.uuid, batch_schemas.dataset_uuid, min(batch_versions.created_at)
FROM batch_schemas
JOIN batch_versions USING (digest)
GROUP BY batch_schemas.uuid, batch_schemas.dataset_uuid
ORDER BY batch_schemas.uuid
ON CONFLICT (uuid) DO NOTHING;

-- Its columns, each name and type once: Marquez multiplies fields without a type, and then the first of them stands for
-- all. What a crash has left half written is completed, too.
INSERT INTO dataset_schema_versions_field_mapping (dataset_schema_version_uuid, dataset_field_uuid)
SELECT one.uuid, field.uuid
FROM (SELECT DISTINCT ON (uuid) uuid, dataset_uuid, fields FROM batch_schemas ORDER BY uuid) AS one
CROSS JOIN LATERAL (
    SELECT DISTINCT ON (name, type) dataset_uuid, name, type
    FROM dataset_fields
    WHERE uuid = ANY (one.fields)
    ORDER BY name, type, dataset_uuid = one.dataset_uuid DESC
) AS wanted
CROSS JOIN LATERAL (
    SELECT dataset_fields.uuid
    FROM dataset_fields
    WHERE dataset_fields.dataset_uuid = wanted.dataset_uuid
      AND dataset_fields.name = wanted.name
      AND dataset_fields.type IS NOT DISTINCT FROM wanted.type
    ORDER BY dataset_fields.created_at, dataset_fields.uuid
    LIMIT 1
) AS field
WHERE NOT EXISTS (
    SELECT
    FROM dataset_schema_versions_field_mapping AS mapping
    JOIN dataset_fields AS held ON held.uuid = mapping.dataset_field_uuid
    WHERE mapping.dataset_schema_version_uuid = one.uuid
      AND held.name = wanted.name
      AND held.type IS NOT DISTINCT FROM wanted.type
)
ORDER BY one.uuid, field.uuid
ON CONFLICT DO NOTHING;

INSERT INTO known_schemas (digest, uuid)
SELECT digest, uuid FROM batch_schemas;

-- A version whose dataset has no name has no id to derive.
INSERT INTO migration_quarantine (migration, key, error)
SELECT 'schema-versions', uuid, 'It has no dataset, or the dataset no namespace, so that no schema version follows'
FROM batch_versions
WHERE NOT EXISTS (SELECT FROM known_schemas WHERE known_schemas.digest = batch_versions.digest)
ON CONFLICT DO NOTHING;

-- What live normalization has set meanwhile is newer than what was read here, and stays.
WITH moved AS (
    UPDATE dataset_versions AS stored
    SET dataset_schema_version_uuid = known_schemas.uuid
    FROM batch_versions
    JOIN known_schemas USING (digest)
    WHERE stored.uuid = batch_versions.uuid
      AND batch_versions.was IS DISTINCT FROM known_schemas.uuid
      AND stored.dataset_schema_version_uuid IS NOT DISTINCT FROM batch_versions.was
    RETURNING stored.uuid
)
SELECT
    (SELECT uuid::text FROM batch_versions ORDER BY uuid DESC LIMIT 1) AS last_key,
    (SELECT count(*) FROM batch_versions) AS looked_at,
    (SELECT count(*) FROM moved) AS changed;
