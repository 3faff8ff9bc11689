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

-- From here on few rows meet large tables, which nobody has told the planner of these temporary ones.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;

-- Sets of fields that this session has not met. An id follows from the names and types alone.
INSERT INTO batch_schemas (digest, uuid, dataset_uuid, first_at, fields, columns)
SELECT
    met.digest,
    schema_version_uuid(namespaces.name, datasets.name, described.names, described.types),
    met.dataset_uuid,
    met.first_at,
    met.fields,
    described.columns
FROM (
    SELECT digest, dataset_uuid, fields, min(created_at) AS first_at
    FROM batch_versions
    WHERE NOT EXISTS (SELECT FROM known_schemas WHERE known_schemas.digest = batch_versions.digest)
    GROUP BY digest, dataset_uuid, fields
) AS met
JOIN datasets ON datasets.uuid = met.dataset_uuid
JOIN namespaces ON namespaces.uuid = datasets.namespace_uuid
CROSS JOIN LATERAL (
    SELECT array_agg(name) AS names, array_agg(type) AS types, count(DISTINCT (name, type)) AS columns
    FROM dataset_fields
    WHERE uuid = ANY (met.fields)
) AS described;

INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)
SELECT uuid, dataset_uuid, min(first_at)
FROM batch_schemas
GROUP BY uuid, dataset_uuid
ORDER BY uuid
ON CONFLICT (uuid) DO NOTHING;

-- Its columns, each name and type once: Marquez multiplies fields without a type, and then the first of them stands for
-- all. What a crash has left half written is completed, too; what is complete costs no more than counting it.
WITH unfinished AS MATERIALIZED (
    SELECT DISTINCT ON (one.uuid) one.uuid, one.dataset_uuid, one.fields, held.columns AS held
    FROM batch_schemas AS one
    CROSS JOIN LATERAL (
        SELECT count(*) AS columns
        FROM dataset_schema_versions_field_mapping
        WHERE dataset_schema_version_uuid = one.uuid
    ) AS held
    WHERE one.columns > held.columns
    ORDER BY one.uuid
)
INSERT INTO dataset_schema_versions_field_mapping (dataset_schema_version_uuid, dataset_field_uuid)
SELECT unfinished.uuid, chosen.uuid
FROM unfinished
CROSS JOIN LATERAL (
    SELECT DISTINCT ON (wanted.name, wanted.type) coalesce(first_one.uuid, wanted.uuid) AS uuid, wanted.name, wanted.type
    FROM dataset_fields AS wanted
    LEFT JOIN LATERAL (
        SELECT uuid
        FROM dataset_fields
        WHERE wanted.type IS NULL AND type IS NULL AND dataset_uuid = wanted.dataset_uuid AND name = wanted.name
        ORDER BY created_at, uuid
        LIMIT 1
    ) AS first_one ON true
    WHERE wanted.uuid = ANY (unfinished.fields)
    ORDER BY wanted.name, wanted.type, wanted.dataset_uuid = unfinished.dataset_uuid DESC, wanted.created_at, wanted.uuid
) AS chosen
WHERE unfinished.held = 0 OR NOT EXISTS (
    SELECT
    FROM dataset_schema_versions_field_mapping AS mapping
    JOIN dataset_fields AS held ON held.uuid = mapping.dataset_field_uuid
    WHERE mapping.dataset_schema_version_uuid = unfinished.uuid
      AND held.name = chosen.name
      AND held.type IS NOT DISTINCT FROM chosen.type
)
ORDER BY unfinished.uuid, chosen.uuid
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
    (SELECT uuid::text FROM batch_versions ORDER BY batch_versions.uuid DESC LIMIT 1) AS last_key,
    (SELECT count(*) FROM batch_versions) AS looked_at,
    (SELECT count(*) FROM moved) AS changed;
