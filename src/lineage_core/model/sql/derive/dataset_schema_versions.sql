-- Schema versions and their fields, by the schemas of all mentions of a version.
-- again: A version is made; a mention gives it a field that it does not have; a read moves away from it.
-- reads: dataset_mentions, dataset_schemas, dataset_versions, datasets, identity_map of dataset_fields, made_versions,
--     moved_reads, slice_mentions, unmade_versions
-- writes: dataset_schema_versions
-- removes: schema_fields_to_move
--
-- A version references the schema version that has the fields of every schema under which it was written or read. A schema
-- version never changes: where a reader's schema has a field that the version's does not have, which is drift, the version
-- references another one; and again another one when that reader has moved on. Two datasets with names made for it may have one
-- schema version. It then has the fields of both, and a dataset version has those that are its dataset's own.

-- version_schemas: the schema version of each version that the slice makes, or whose set of fields it changes. One that somebody else
-- has made has no first event.
CREATE TEMP TABLE version_schemas ON COMMIT DROP AS
SELECT version_uuid, dataset_uuid, created_at, first_event, schema_version_uuid
FROM made_versions
WHERE NOT EXISTS (
    SELECT FROM dataset_versions AS stored WHERE stored.uuid = made_versions.version_uuid AND stored.first_event IS NOT NULL
);

ANALYZE version_schemas;

-- Schema versions are made once, with their fields, in one statement; a field of a version is one of its schema. One that another
-- dataset has gets the fields of this one, too. So does one that somebody else has made, and left without any.
SELECT take_in_fields(array_agg(stored.uuid))
FROM dataset_schema_versions AS stored
WHERE stored.field_uuids IS NULL AND stored.uuid IN (SELECT schema_version_uuid FROM version_schemas);

INSERT INTO dataset_schema_versions AS stored (uuid, dataset_uuid, created_at, field_uuids)
SELECT first_version.schema_version_uuid, first_version.dataset_uuid, first_version.created_at, described.field_uuids
FROM (
    SELECT DISTINCT ON (schema_version_uuid) schema_version_uuid, dataset_uuid, created_at
    FROM version_schemas
    ORDER BY schema_version_uuid, first_event
) AS first_version
JOIN (
    SELECT
        lacking.schema_version_uuid,
        lacking.held,
        coalesce(
            array_agg(DISTINCT coalesce(known_field.uuid, field.uuid) ORDER BY coalesce(known_field.uuid, field.uuid))
                FILTER (WHERE field.uuid IS NOT NULL),
            ARRAY[]::uuid[]
        ) AS field_uuids
    FROM (
        SELECT DISTINCT version.schema_version_uuid, version.dataset_uuid, stored.field_uuids AS held
        FROM version_schemas AS version
        LEFT JOIN dataset_schema_versions AS stored ON stored.uuid = version.schema_version_uuid
        WHERE stored.dataset_uuid IS DISTINCT FROM version.dataset_uuid OR stored.field_uuids = ARRAY[]::uuid[]
    ) AS lacking
    JOIN datasets ON datasets.uuid = lacking.dataset_uuid
    LEFT JOIN LATERAL (
        SELECT field_keys, keyed_fields
        FROM dataset_schemas
        WHERE schema_version_uuid = lacking.schema_version_uuid AND own_name_uuid = datasets.name_uuid
        LIMIT 1
    ) AS described ON true
    LEFT JOIN LATERAL schema_keys(described.field_keys, described.keyed_fields) AS field ON true
    LEFT JOIN identity_map AS known_field
        ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
    GROUP BY lacking.schema_version_uuid, lacking.held
) AS described USING (schema_version_uuid)
WHERE described.held IS NULL OR NOT described.held @> described.field_uuids
ON CONFLICT (uuid) DO UPDATE SET field_uuids = changed_fields(stored.field_uuids, ARRAY[]::uuid[], excluded.field_uuids)
WHERE NOT stored.field_uuids @> excluded.field_uuids;

-- drifted_versions: versions that a new mention, or one that moved here, describes by a field that they do not have, versions that
-- a read moved away from, and versions that turn out to be another dataset's; each with all schemas under which it was written or
-- read. It may have very many readers, but has few schemas: the index of mentions gives each schema once.
CREATE TEMP TABLE drifted_versions ON COMMIT DROP AS
WITH RECURSIVE mentioned AS MATERIALIZED (
    SELECT
        mention.version_uuid,
        schema.uuid AS schema_uuid,
        coalesce(stored.dataset_schema_version_uuid, made.schema_version_uuid) AS schema_version_uuid
    FROM (
        SELECT version_uuid, schema_uuid FROM slice_mentions
        UNION
        SELECT version_uuid, schema_uuid FROM moved_reads
    ) AS mention
    JOIN dataset_schemas AS schema ON schema.uuid = mention.schema_uuid AND schema.fields IS NOT NULL
    LEFT JOIN dataset_versions AS stored ON stored.uuid = mention.version_uuid
    LEFT JOIN version_schemas AS made ON made.version_uuid = mention.version_uuid
    WHERE schema.schema_version_uuid
        IS DISTINCT FROM coalesce(stored.dataset_schema_version_uuid, made.schema_version_uuid)
),
drift AS (
    SELECT pair.schema_uuid, pair.schema_version_uuid
    FROM (SELECT DISTINCT schema_uuid, schema_version_uuid FROM mentioned) AS pair
    WHERE EXISTS (
        SELECT coalesce(known_field.uuid, field.uuid)
        FROM dataset_schemas AS schema
        CROSS JOIN LATERAL schema_keys(schema.field_keys, schema.keyed_fields) AS field
        LEFT JOIN identity_map AS known_field
            ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
        WHERE schema.uuid = pair.schema_uuid
        EXCEPT
        SELECT mapped.dataset_field_uuid
        FROM dataset_schema_versions_field_mapping AS mapped
        WHERE mapped.dataset_schema_version_uuid = pair.schema_version_uuid
    )
),
drifted AS (
    SELECT mentioned.version_uuid
    FROM mentioned
    JOIN drift USING (schema_uuid, schema_version_uuid)
    UNION
    SELECT old_version_uuid FROM moved_reads
    UNION
    SELECT made.version_uuid
    FROM made_versions AS made
    JOIN dataset_versions AS stored ON stored.uuid = made.version_uuid
    WHERE stored.dataset_uuid IS DISTINCT FROM made.dataset_uuid
),
described AS (
    SELECT drifted.version_uuid, first.schema_uuid
    FROM drifted
    CROSS JOIN LATERAL (
        SELECT schema_uuid
        FROM dataset_mentions
        WHERE version_uuid = drifted.version_uuid
        ORDER BY schema_uuid
        LIMIT 1
    ) AS first
    UNION ALL
    SELECT described.version_uuid, next.schema_uuid
    FROM described
    CROSS JOIN LATERAL (
        SELECT schema_uuid
        FROM dataset_mentions
        WHERE version_uuid = described.version_uuid AND schema_uuid > described.schema_uuid
        ORDER BY schema_uuid
        LIMIT 1
    ) AS next
)
SELECT
    content.version_uuid,
    coalesce(made.dataset_uuid, stored.dataset_uuid) AS dataset_uuid,
    coalesce(made.created_at, stored.created_at) AS created_at,
    coalesce(made.first_event, stored.first_event) AS first_event,
    content.schema_uuids
FROM (
    SELECT version_uuid, array_agg(schema_uuid ORDER BY schema_uuid) AS schema_uuids
    FROM described
    GROUP BY version_uuid
) AS content
LEFT JOIN made_versions AS made ON made.version_uuid = content.version_uuid
LEFT JOIN dataset_versions AS stored ON stored.uuid = content.version_uuid;

ANALYZE drifted_versions;

-- amended_schemas: the schema version of all fields of those schemas that are a dataset's; versions that share these share it.
CREATE TEMP TABLE amended_schemas ON COMMIT DROP AS
SELECT
    schemas.dataset_uuid,
    schemas.schema_uuids,
    content.field_uuids,
    schema_version_uuid(datasets.namespace_name, datasets.name, content.names, content.types) AS schema_version_uuid
FROM (SELECT DISTINCT dataset_uuid, schema_uuids FROM drifted_versions) AS schemas
JOIN datasets ON datasets.uuid = schemas.dataset_uuid
CROSS JOIN LATERAL (
    SELECT
        array_agg(DISTINCT coalesce(known_field.uuid, field.uuid)) AS field_uuids,
        array_agg(field.name) AS names,
        array_agg(field.type) AS types
    FROM dataset_schemas AS described
    CROSS JOIN LATERAL schema_fields(described.fields, described.field_keys, described.keyed_fields) AS field
    LEFT JOIN identity_map AS known_field
        ON known_field.entity = 'dataset_fields' AND known_field.key_uuid = field.uuid
    WHERE described.uuid = ANY (schemas.schema_uuids) AND described.own_name_uuid = datasets.name_uuid
) AS content;

ANALYZE amended_schemas;

DELETE FROM version_schemas
USING drifted_versions AS drifted
WHERE version_schemas.version_uuid = drifted.version_uuid;

INSERT INTO version_schemas (version_uuid, dataset_uuid, created_at, first_event, schema_version_uuid)
SELECT
    drifted.version_uuid, drifted.dataset_uuid, drifted.created_at, drifted.first_event, amended.schema_version_uuid
FROM drifted_versions AS drifted
JOIN amended_schemas AS amended USING (dataset_uuid, schema_uuids);

SELECT take_in_fields(array_agg(stored.uuid))
FROM dataset_schema_versions AS stored
WHERE stored.field_uuids IS NULL AND stored.uuid IN (SELECT schema_version_uuid FROM amended_schemas);

INSERT INTO dataset_schema_versions AS stored (uuid, dataset_uuid, created_at, field_uuids)
SELECT first_version.schema_version_uuid, first_version.dataset_uuid, first_version.created_at, described.field_uuids
FROM (
    SELECT DISTINCT ON (amended.schema_version_uuid)
        amended.schema_version_uuid, amended.dataset_uuid, drifted.created_at
    FROM amended_schemas AS amended
    JOIN drifted_versions AS drifted USING (dataset_uuid, schema_uuids)
    ORDER BY amended.schema_version_uuid, drifted.first_event
) AS first_version
JOIN (
    SELECT
        amended.schema_version_uuid,
        stored.field_uuids AS held,
        coalesce(array_agg(DISTINCT field.uuid ORDER BY field.uuid) FILTER (WHERE field.uuid IS NOT NULL), ARRAY[]::uuid[]) AS field_uuids
    FROM amended_schemas AS amended
    LEFT JOIN dataset_schema_versions AS stored ON stored.uuid = amended.schema_version_uuid
    LEFT JOIN LATERAL unnest(amended.field_uuids) AS field (uuid) ON true
    WHERE stored.dataset_uuid IS DISTINCT FROM amended.dataset_uuid OR stored.field_uuids = ARRAY[]::uuid[]
    GROUP BY amended.schema_version_uuid, stored.field_uuids
) AS described USING (schema_version_uuid)
WHERE described.held IS NULL OR NOT described.held @> described.field_uuids
ON CONFLICT (uuid) DO UPDATE SET field_uuids = changed_fields(stored.field_uuids, ARRAY[]::uuid[], excluded.field_uuids)
WHERE NOT stored.field_uuids @> excluded.field_uuids;

-- touched_schema_versions: the schema versions that versions get now, had before, or had only until their drift was seen. None
-- while a long migration has set aside the index by which their versions are found: at its end it looks at all of them.
CREATE TEMP TABLE touched_schema_versions ON COMMIT DROP AS
SELECT uuid
FROM (
    SELECT schema_version_uuid AS uuid FROM version_schemas
    UNION
    SELECT schema_version_uuid FROM made_versions
    UNION
    SELECT stored.dataset_schema_version_uuid
    FROM (
        SELECT version_uuid FROM made_versions
        UNION
        SELECT version_uuid FROM unmade_versions
        UNION
        SELECT version_uuid FROM drifted_versions
    ) AS touched
    JOIN dataset_versions AS stored ON stored.uuid = touched.version_uuid
) AS touched
WHERE EXISTS (
    SELECT FROM pg_index WHERE indexrelid = to_regclass('dataset_versions_schema_version_index') AND indisvalid
);

ANALYZE touched_schema_versions;

-- left_schema_versions: the schema versions that versions may have had, and have no longer, while others have them still.
CREATE TEMP TABLE left_schema_versions ON COMMIT DROP AS
SELECT DISTINCT stored.dataset_schema_version_uuid AS uuid
FROM (
    SELECT version_uuid FROM unmade_versions
    UNION
    SELECT version_uuid FROM drifted_versions
) AS left_behind
JOIN dataset_versions AS stored ON stored.uuid = left_behind.version_uuid
JOIN touched_schema_versions AS touched ON touched.uuid = stored.dataset_schema_version_uuid;

ANALYZE left_schema_versions;
