-- One transaction of the migration: the next versions after a key get the schema version of the fields that their old
-- mapping holds. Answers with the last key that is done, how many versions were looked at, and how many changed.

-- The versions, each with the schema version of its fields if this session has met such a set of fields, and with the
-- fields if it has not. Both tables are read in the order of the key.
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
),
described AS (
    SELECT
        chunk.*,
        coalesce(mapped.fields, '{}') AS fields,
        hash_array_extended(coalesce(mapped.fields, '{}'), 0) AS hash
    FROM chunk
    LEFT JOIN mapped USING (uuid)
)
INSERT INTO batch_versions (uuid, dataset_uuid, created_at, was, becomes, fields, hash)
SELECT
    described.uuid,
    described.dataset_uuid,
    described.created_at,
    described.dataset_schema_version_uuid,
    known.uuid,
    CASE WHEN known.uuid IS NULL THEN described.fields END,
    described.hash
FROM described
LEFT JOIN LATERAL (
    SELECT uuid
    FROM known_schemas
    WHERE hash = described.hash AND dataset_uuid = described.dataset_uuid AND fields = described.fields
    LIMIT 1
) AS known ON true;

-- From here on few rows meet large tables, which nobody has told the planner of these temporary ones.
SET LOCAL enable_hashjoin = off;
SET LOCAL enable_mergejoin = off;

-- Sets of fields that this session has not met. An id follows from the names and types alone.
INSERT INTO batch_schemas (hash, uuid, dataset_uuid, first_at, fields, columns)
SELECT
    met.hash,
    schema_version_uuid(namespaces.name, datasets.name, described.names, described.types),
    met.dataset_uuid,
    met.first_at,
    met.fields,
    described.columns
FROM (
    SELECT hash, dataset_uuid, fields, min(created_at) AS first_at
    FROM batch_versions
    WHERE becomes IS NULL
    GROUP BY hash, dataset_uuid, fields
) AS met
JOIN datasets ON datasets.uuid = met.dataset_uuid
JOIN namespaces ON namespaces.uuid = datasets.namespace_uuid
CROSS JOIN LATERAL (
    SELECT array_agg(name) AS names, array_agg(type) AS types, count(DISTINCT (name, type)) AS columns
    FROM dataset_fields
    WHERE uuid = ANY (met.fields)
) AS described;

INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)
SELECT DISTINCT ON (uuid) uuid, dataset_uuid, first_at
FROM batch_schemas
ORDER BY uuid, first_at, dataset_uuid
ON CONFLICT (uuid) DO NOTHING;

-- Its columns, each name and type once: Marquez multiplies fields without a type, and then the first of them stands for
-- all. What a crash has left half written is completed, too; what is complete costs no more than counting it. Where names made for it
-- give two datasets one schema version, it has the columns of both.
WITH unfinished AS MATERIALIZED (
    SELECT DISTINCT ON (one.uuid, one.dataset_uuid) one.uuid, one.dataset_uuid, one.fields, held.columns AS held
    FROM batch_schemas AS one
    CROSS JOIN LATERAL (
        SELECT count(*) AS columns
        FROM dataset_schema_versions_field_mapping AS mapping
        JOIN dataset_fields AS field ON field.uuid = mapping.dataset_field_uuid
        WHERE mapping.dataset_schema_version_uuid = one.uuid AND field.dataset_uuid = one.dataset_uuid
    ) AS held
    WHERE one.columns > held.columns
    ORDER BY one.uuid, one.dataset_uuid
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
      AND held.dataset_uuid = unfinished.dataset_uuid
      AND held.name = chosen.name
      AND held.type IS NOT DISTINCT FROM chosen.type
)
ORDER BY unfinished.uuid, chosen.uuid
ON CONFLICT DO NOTHING;

INSERT INTO known_schemas (hash, uuid, dataset_uuid, fields)
SELECT hash, uuid, dataset_uuid, fields FROM batch_schemas;

-- From here on sets meet that are about as large as each other.
SET LOCAL enable_hashjoin = on;
SET LOCAL enable_nestloop = off;

UPDATE batch_versions
SET becomes = met.uuid
FROM batch_schemas AS met
WHERE batch_versions.becomes IS NULL
  AND met.hash = batch_versions.hash
  AND met.dataset_uuid = batch_versions.dataset_uuid
  AND met.fields = batch_versions.fields;

-- A version whose dataset has no name has no id to derive.
INSERT INTO migration_quarantine (migration, key, error)
SELECT 'schema-versions', uuid, 'It has no dataset, or the dataset no namespace, so that no schema version follows'
FROM batch_versions
WHERE becomes IS NULL
ON CONFLICT DO NOTHING;

-- What live normalization has set meanwhile is newer than what was read here, and stays. The bounds of the key let the
-- table be read in its order once more, which is cheaper than a look for each version.
WITH moved AS (
    UPDATE dataset_versions AS stored
    SET dataset_schema_version_uuid = batch_versions.becomes
    FROM batch_versions
    WHERE stored.uuid = batch_versions.uuid
      AND (%(after)s::uuid IS NULL OR stored.uuid > %(after)s::uuid)
      AND stored.uuid <= (SELECT uuid FROM batch_versions ORDER BY uuid DESC LIMIT 1)
      AND batch_versions.was IS DISTINCT FROM batch_versions.becomes
      AND stored.dataset_schema_version_uuid IS NOT DISTINCT FROM batch_versions.was
    RETURNING stored.uuid
)
SELECT
    (SELECT uuid::text FROM batch_versions ORDER BY batch_versions.uuid DESC LIMIT 1) AS last,
    (SELECT count(*) FROM batch_versions) AS looked_at,
    (SELECT count(*) FROM moved) AS changed;
