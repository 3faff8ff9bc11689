-- name: schema-versions/drop
-- The end: readers of the old mapping, Marquez' API among them, find a view of its name.
CREATE OR REPLACE VIEW dataset_version_fields AS
SELECT dataset_versions.uuid AS dataset_version_uuid, mapping.dataset_field_uuid
FROM dataset_versions
JOIN dataset_schema_versions_field_mapping AS mapping USING (dataset_schema_version_uuid)
JOIN dataset_fields AS field
    ON field.uuid = mapping.dataset_field_uuid AND field.dataset_uuid = dataset_versions.dataset_uuid;

DROP TABLE dataset_versions_field_mapping;

CREATE VIEW dataset_versions_field_mapping AS
SELECT dataset_version_uuid, dataset_field_uuid FROM dataset_version_fields;

CREATE TRIGGER dataset_versions_field_mapping_refuse_writing
INSTEAD OF INSERT OR UPDATE OR DELETE ON dataset_versions_field_mapping
FOR EACH ROW EXECUTE FUNCTION refuse_writing();

-- name: schema-versions/forget
-- After a failure: what the session knows may be gone, as live normalization removes what nothing refers to.
TRUNCATE known_schemas;

-- name: schema-versions/session
-- What a worker keeps in its session: the versions of one transaction, the schemas that are new to it, and the sets of
-- fields that it has met. Each costs one derivation of its id, however many versions have it. The hash only finds a set:
-- the fields themselves are compared.
CREATE TEMP TABLE IF NOT EXISTS batch_versions (
    uuid uuid NOT NULL,
    dataset_uuid uuid,
    created_at timestamptz NOT NULL,
    was uuid,
    becomes uuid,
    fields uuid[],
    hash bigint NOT NULL
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS batch_schemas (
    hash bigint NOT NULL,
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    first_at timestamptz NOT NULL,
    fields uuid[] NOT NULL,
    columns uuid[] NOT NULL,
    lost text
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS known_schemas (
    hash bigint NOT NULL,
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    fields uuid[] NOT NULL
);

CREATE INDEX IF NOT EXISTS known_schemas_hash ON pg_temp.known_schemas (hash);

-- name: schema-versions/step
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

-- From here on few rows meet large tables, without statistics of these temporary ones.
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

INSERT INTO dataset_schema_versions (uuid, dataset_uuid, created_at, field_uuids)
SELECT DISTINCT ON (uuid) uuid, dataset_uuid, first_at, columns
FROM batch_schemas
ORDER BY uuid, first_at, dataset_uuid
ON CONFLICT (uuid) DO NOTHING;

SELECT take_in_fields(array_agg(uuid)) FROM batch_schemas;

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
changed AS (
    SELECT
        schema_uuid,
        array_agg(uuid) FILTER (WHERE is_removed) AS removed,
        array_agg(uuid) FILTER (WHERE NOT is_removed) AS added
    FROM (
        SELECT held.schema_uuid, held.uuid, true AS is_removed
        FROM held
        WHERE NOT held.is_first
           OR NOT EXISTS (
               SELECT
               FROM wanted
               WHERE (wanted.schema_uuid, wanted.dataset_uuid, wanted.name) = (held.schema_uuid, held.dataset_uuid, held.name)
                 AND wanted.type IS NOT DISTINCT FROM held.type
           )
        UNION ALL
        SELECT wanted.schema_uuid, wanted.uuid, false
        FROM wanted
        WHERE NOT EXISTS (
            SELECT
            FROM held
            WHERE (held.schema_uuid, held.dataset_uuid, held.name) = (wanted.schema_uuid, wanted.dataset_uuid, wanted.name)
              AND held.type IS NOT DISTINCT FROM wanted.type
        )
    ) AS one
    GROUP BY schema_uuid
)
UPDATE dataset_schema_versions AS stored
SET field_uuids = changed_fields(stored.field_uuids, changed.removed, changed.added)
FROM changed
WHERE stored.uuid = changed.schema_uuid;

-- Each version that loses columns is to be named, so what they have in common is not kept.
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

-- name: schema-versions/tidy
-- After the last range, schema version by schema version: one that no dataset version has goes, as the migration, or a crash
-- before it, has left it behind; the others date from the first version that has them, and are its dataset's. Where names made for
-- it give two datasets one schema version, the columns of one that no longer has it go. Answers with the last key that is done, or
-- null, and how many were removed.

-- A worker of a migration that was cancelled may refer to one at this moment. The lock waits for it, and the next statement
-- sees what it did.
SELECT count(*)
FROM (
    SELECT stored.uuid
    FROM (
        SELECT uuid
        FROM dataset_schema_versions
        WHERE %(after)s::uuid IS NULL OR uuid > %(after)s::uuid
        ORDER BY uuid
        LIMIT %(rows)s
    ) AS listed
    JOIN dataset_schema_versions AS stored USING (uuid)
    WHERE NOT EXISTS (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = stored.uuid)
    FOR UPDATE OF stored
) AS unreferenced;

SELECT take_in_fields(array_agg(uuid))
FROM (
    SELECT uuid
    FROM dataset_schema_versions
    WHERE %(after)s::uuid IS NULL OR uuid > %(after)s::uuid
    ORDER BY uuid
    LIMIT %(rows)s
) AS listed;

WITH chunk AS MATERIALIZED (
    SELECT
        stored.uuid,
        first_version.created_at AS first_at,
        first_version.dataset_uuid,
        foreign_fields(stored.uuid) AS lost
    FROM (
        SELECT uuid
        FROM dataset_schema_versions
        WHERE %(after)s::uuid IS NULL OR uuid > %(after)s::uuid
        ORDER BY uuid
        LIMIT %(rows)s
    ) AS stored
    LEFT JOIN LATERAL (
        SELECT created_at, dataset_uuid
        FROM dataset_versions
        WHERE dataset_schema_version_uuid = stored.uuid
        ORDER BY first_event NULLS FIRST, created_at
        LIMIT 1
    ) AS first_version ON true
),
removed AS (
    DELETE FROM dataset_schema_versions AS stored
    USING chunk
    WHERE stored.uuid = chunk.uuid AND chunk.first_at IS NULL
    RETURNING stored.uuid
),
dated AS (
    UPDATE dataset_schema_versions AS stored
    SET created_at = chunk.first_at,
        dataset_uuid = chunk.dataset_uuid,
        field_uuids = changed_fields(stored.field_uuids, chunk.lost, '{}')
    FROM chunk
    WHERE stored.uuid = chunk.uuid
      AND chunk.first_at IS NOT NULL
      AND (
          (stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (chunk.first_at, chunk.dataset_uuid)
          OR stored.field_uuids && chunk.lost
      )
)
SELECT
    (SELECT uuid::text FROM chunk ORDER BY chunk.uuid DESC LIMIT 1) AS last,
    (SELECT count(*) FROM removed) AS removed;

-- name: schema-versions/verify
-- What readers see of the next dataset versions, by the old mapping and by the new: rows, distinct columns (by name and type),
-- and a checksum over those. Answers with the last key, the sums, and the versions that differ, those in quarantine and
-- those that somebody has accepted apart. Those that differ are in quarantine from now on, with what differs, so that a person
-- can accept what no run mends; those that do not differ are there no longer.
WITH chunk AS MATERIALIZED (
    SELECT uuid, dataset_uuid, dataset_schema_version_uuid
    FROM dataset_versions
    WHERE %(after)s::uuid IS NULL OR uuid > %(after)s::uuid
    ORDER BY uuid
    LIMIT %(rows)s
),
old_columns AS (
    SELECT
        chunk.uuid,
        field.name,
        field.type,
        count(*) AS times,
        bool_or(replacing.dataset_field_uuid IS NULL) AS is_replaced
    FROM chunk
    JOIN dataset_versions_field_mapping AS mapping ON mapping.dataset_version_uuid = chunk.uuid
    JOIN dataset_fields AS field ON field.uuid = mapping.dataset_field_uuid
    LEFT JOIN dataset_schema_versions_field_mapping AS replacing
        ON replacing.dataset_schema_version_uuid = chunk.dataset_schema_version_uuid
       AND replacing.dataset_field_uuid = mapping.dataset_field_uuid
    GROUP BY chunk.uuid, field.name, field.type
),
new_columns AS (
    SELECT chunk.uuid, field.name, field.type, count(*) AS times
    FROM chunk
    JOIN dataset_schema_versions_field_mapping AS mapping
        ON mapping.dataset_schema_version_uuid = chunk.dataset_schema_version_uuid
    JOIN dataset_fields AS field
        ON field.uuid = mapping.dataset_field_uuid AND field.dataset_uuid = chunk.dataset_uuid
    GROUP BY chunk.uuid, field.name, field.type
),
old_versions AS (
    SELECT
        uuid,
        sum(times) AS rows,
        count(*) AS columns,
        sum(hashtextextended(format('%%s %%L %%L', uuid, name, type), 0)::numeric) AS checksum,
        bool_or(is_replaced) AS is_replaced
    FROM old_columns
    GROUP BY uuid
),
new_versions AS (
    SELECT
        uuid,
        sum(times) AS rows,
        count(*) AS columns,
        sum(hashtextextended(format('%%s %%L %%L', uuid, name, type), 0)::numeric) AS checksum
    FROM new_columns
    GROUP BY uuid
),
compared AS (
    SELECT
        chunk.uuid,
        chunk.dataset_schema_version_uuid,
        coalesce(old_versions.rows, 0) AS old_rows,
        coalesce(old_versions.columns, 0) AS old_columns,
        coalesce(old_versions.checksum, 0) AS old_checksum,
        coalesce(new_versions.rows, 0) AS new_rows,
        coalesce(new_versions.columns, 0) AS new_columns,
        coalesce(new_versions.checksum, 0) AS new_checksum,
        chunk.dataset_schema_version_uuid IS NULL
        OR (coalesce(new_versions.rows, 0), coalesce(new_versions.checksum, 0))
            <> (coalesce(old_versions.columns, 0), coalesce(old_versions.checksum, 0)) AS differs,
        coalesce(old_versions.is_replaced, false) AS is_replaced,
        held.key IS NOT NULL AS is_in_quarantine,
        known.key IS NOT NULL AS is_accepted
    FROM chunk
    LEFT JOIN old_versions USING (uuid)
    LEFT JOIN new_versions USING (uuid)
    LEFT JOIN migration_quarantine AS held ON held.migration = 'schema-versions' AND held.key = chunk.uuid::text
    LEFT JOIN migration_acceptances AS known
        ON known.migration = held.migration AND known.key = held.key AND known.error = held.error
),
columns_that_differ AS (
    SELECT uuid, name, type, sum(old) > 0 AS is_old, sum(new) AS new
    FROM (
        SELECT uuid, name, type, times AS old, 0 AS new FROM old_columns
        UNION ALL
        SELECT uuid, name, type, 0, times FROM new_columns
    ) AS seen
    WHERE uuid IN (SELECT uuid FROM compared WHERE differs AND NOT is_in_quarantine)
    GROUP BY uuid, name, type
    HAVING (sum(old) > 0)::integer <> sum(new)
),
differing AS (
    SELECT
        uuid,
        string_agg(
            format(
                '%%s%%s %%s',
                name,
                ' ' || type,
                CASE
                    WHEN new = 0 THEN 'by the old mapping alone'
                    WHEN is_old THEN 'more than once by the new mapping'
                    ELSE 'by the new mapping alone'
                END
            ),
            ', '
            ORDER BY name COLLATE "C", type COLLATE "C"
        ) AS columns
    FROM columns_that_differ
    GROUP BY uuid
),
set_aside AS (
    INSERT INTO migration_quarantine (migration, key, error)
    SELECT
        'schema-versions',
        uuid::text,
        CASE
            WHEN dataset_schema_version_uuid IS NULL THEN 'It has no schema version'
            ELSE format('Readers see other columns: %%s', differing.columns)
        END
    FROM compared
    LEFT JOIN differing USING (uuid)
    WHERE differs AND NOT is_in_quarantine
    ON CONFLICT (migration, key) DO NOTHING
),
put_back AS (
    DELETE FROM migration_quarantine AS held
    USING compared
    WHERE held.migration = 'schema-versions' AND held.key = compared.uuid::text AND NOT compared.differs
)
SELECT
    (SELECT uuid::text FROM compared ORDER BY compared.uuid DESC LIMIT 1) AS last,
    count(*) AS versions,
    coalesce(sum(old_rows), 0) AS old_rows,
    coalesce(sum(old_columns), 0) AS old_columns,
    coalesce(sum(old_checksum), 0) AS old_checksum,
    coalesce(sum(new_rows), 0) AS new_columns,
    coalesce(sum(new_checksum), 0) AS new_checksum,
    count(*) FILTER (WHERE old_rows <> old_columns) AS multiplied,
    count(*) FILTER (WHERE is_replaced AND NOT differs) AS replaced,
    count(*) FILTER (WHERE differs AND is_in_quarantine AND NOT is_accepted) AS in_quarantine,
    count(*) FILTER (WHERE differs AND is_accepted) AS accepted,
    count(*) FILTER (WHERE differs AND NOT is_in_quarantine) AS unexplained,
    (array_agg(uuid::text ORDER BY uuid) FILTER (WHERE differs AND NOT is_in_quarantine))[1:5] AS examples
FROM compared;
