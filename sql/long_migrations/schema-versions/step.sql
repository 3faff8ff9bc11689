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

-- Sets of fields that this session has not met, each as the columns of its own dataset that represent them: each name and type
-- once, as Marquez multiplies fields without a type, and then the first of them represents all. A field of another dataset, which
-- readers of the new mapping do not see, is represented by one of its name and type, or lost. An id follows from the names and
-- types that are represented alone.
INSERT INTO batch_schemas (hash, uuid, dataset_uuid, first_at, fields, columns, lost)
SELECT
    met.hash,
    schema_version_uuid(namespaces.name, datasets.name, described.names, described.types),
    met.dataset_uuid,
    met.first_at,
    met.fields,
    coalesce(described.columns, '{}'),
    described.lost
FROM (
    SELECT hash, dataset_uuid, fields, min(created_at) AS first_at
    FROM batch_versions
    WHERE becomes IS NULL
    GROUP BY hash, dataset_uuid, fields
) AS met
JOIN datasets ON datasets.uuid = met.dataset_uuid
JOIN namespaces ON namespaces.uuid = datasets.namespace_uuid
CROSS JOIN LATERAL (
    SELECT
        array_agg(represented.uuid ORDER BY represented.uuid) FILTER (WHERE represented.uuid IS NOT NULL) AS columns,
        array_agg(represented.name ORDER BY represented.uuid) FILTER (WHERE represented.uuid IS NOT NULL) AS names,
        array_agg(represented.type ORDER BY represented.uuid) FILTER (WHERE represented.uuid IS NOT NULL) AS types,
        string_agg(
            represented.name || coalesce(' ' || represented.type, ''),
            ', '
            ORDER BY represented.name COLLATE "C", represented.type COLLATE "C"
        ) FILTER (WHERE represented.uuid IS NULL) AS lost
    FROM (
        SELECT DISTINCT ON (wanted.name, wanted.type)
            wanted.name,
            wanted.type,
            CASE WHEN own.is_own THEN coalesce(first_one.uuid, wanted.uuid) ELSE first_one.uuid END AS uuid
        FROM dataset_fields AS wanted
        CROSS JOIN LATERAL (SELECT wanted.dataset_uuid IS NOT DISTINCT FROM met.dataset_uuid AS is_own) AS own
        LEFT JOIN LATERAL (
            SELECT uuid
            FROM dataset_fields
            WHERE (wanted.type IS NULL OR NOT own.is_own)
              AND dataset_uuid = met.dataset_uuid
              AND name = wanted.name
              AND type IS NOT DISTINCT FROM wanted.type
            ORDER BY created_at, uuid
            LIMIT 1
        ) AS first_one ON true
        WHERE wanted.uuid = ANY (met.fields)
        ORDER BY wanted.name, wanted.type, own.is_own DESC, wanted.created_at, wanted.uuid
    ) AS represented
) AS described;

INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at)
SELECT DISTINCT ON (uuid) uuid, dataset_uuid, first_at
FROM batch_schemas
ORDER BY uuid, first_at, dataset_uuid
ON CONFLICT (uuid) DO NOTHING;

-- It has these columns and, of this dataset, no others. What is missing, as a crash has left it half written, is added; what does
-- not belong there, or is there twice, goes. What is right costs no more than comparing it. Where names made for it give two
-- datasets one schema version, it has the columns of both.
WITH unfinished AS MATERIALIZED (
    SELECT DISTINCT ON (one.uuid, one.dataset_uuid) one.uuid, one.dataset_uuid, one.columns
    FROM batch_schemas AS one
    CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(field.uuid ORDER BY field.uuid), '{}') AS columns
        FROM dataset_schema_versions_field_mapping AS mapping
        JOIN dataset_fields AS field ON field.uuid = mapping.dataset_field_uuid
        WHERE mapping.dataset_schema_version_uuid = one.uuid AND field.dataset_uuid = one.dataset_uuid
    ) AS held
    WHERE one.columns <> held.columns
    ORDER BY one.uuid, one.dataset_uuid
),
wanted AS MATERIALIZED (
    SELECT unfinished.uuid AS schema_uuid, field.uuid, field.dataset_uuid, field.name, field.type
    FROM unfinished
    JOIN dataset_fields AS field ON field.uuid = ANY (unfinished.columns)
),
held AS MATERIALIZED (
    SELECT
        unfinished.uuid AS schema_uuid,
        field.uuid,
        field.dataset_uuid,
        field.name,
        field.type,
        row_number() OVER (
            PARTITION BY unfinished.uuid, field.dataset_uuid, field.name, field.type ORDER BY field.created_at, field.uuid
        ) = 1 AS is_first
    FROM unfinished
    JOIN dataset_schema_versions_field_mapping AS mapping ON mapping.dataset_schema_version_uuid = unfinished.uuid
    JOIN dataset_fields AS field ON field.uuid = mapping.dataset_field_uuid AND field.dataset_uuid = unfinished.dataset_uuid
),
removed AS (
    DELETE FROM dataset_schema_versions_field_mapping AS mapping
    USING held
    WHERE mapping.dataset_schema_version_uuid = held.schema_uuid
      AND mapping.dataset_field_uuid = held.uuid
      AND (
          NOT held.is_first
          OR NOT EXISTS (
              SELECT
              FROM wanted
              WHERE (wanted.schema_uuid, wanted.dataset_uuid, wanted.name) = (held.schema_uuid, held.dataset_uuid, held.name)
                AND wanted.type IS NOT DISTINCT FROM held.type
          )
      )
)
INSERT INTO dataset_schema_versions_field_mapping (dataset_schema_version_uuid, dataset_field_uuid)
SELECT wanted.schema_uuid, wanted.uuid
FROM wanted
WHERE NOT EXISTS (
    SELECT
    FROM held
    WHERE (held.schema_uuid, held.dataset_uuid, held.name) = (wanted.schema_uuid, wanted.dataset_uuid, wanted.name)
      AND held.type IS NOT DISTINCT FROM wanted.type
)
ORDER BY wanted.schema_uuid, wanted.uuid
ON CONFLICT DO NOTHING;

-- Each version that loses columns is to be told of, so what they have in common is not kept.
INSERT INTO known_schemas (hash, uuid, dataset_uuid, fields)
SELECT hash, uuid, dataset_uuid, fields FROM batch_schemas WHERE lost IS NULL;

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

-- A version whose dataset has no name has no id to derive. Columns of another dataset are for a person to look at.
INSERT INTO migration_quarantine (migration, key, error)
SELECT
    'schema-versions',
    batch_versions.uuid,
    CASE
        WHEN batch_versions.becomes IS NULL THEN
            'It has no dataset, or the dataset no namespace, so that no schema version follows'
        ELSE format('Its old mapping names columns of another dataset, which its own does not have: %%s', met.lost)
    END
FROM batch_versions
LEFT JOIN batch_schemas AS met USING (hash, dataset_uuid, fields)
WHERE batch_versions.becomes IS NULL OR met.lost IS NOT NULL
ON CONFLICT (migration, key) DO UPDATE SET error = excluded.error;

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
