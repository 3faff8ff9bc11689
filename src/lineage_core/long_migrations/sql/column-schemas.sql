-- name: column-schemas/forget
-- Nothing is kept, so nothing has to be forgotten.
SELECT;

-- name: column-schemas/session
-- A worker keeps nothing.
SELECT;

-- name: column-schemas/step
-- The columns of the next datasets get the schema whose last event they have, unless that is gone. They are locked in the order in
-- which a merge locks them, and their schemas, so that retention deletes none of these meanwhile.
WITH chunk AS MATERIALIZED (
    SELECT dataset_uuid
    FROM dataset_fields
    WHERE (%(after)s::uuid IS NULL OR dataset_uuid > %(after)s::uuid) AND dataset_uuid <= %(until)s::uuid
    ORDER BY dataset_uuid
    FETCH FIRST %(rows)s ROWS WITH TIES
),
described AS MATERIALIZED (
    SELECT field.uuid, schema.uuid AS schema_uuid, schema.created_at
    FROM (SELECT DISTINCT dataset_uuid FROM chunk) AS listed
    JOIN datasets AS dataset ON dataset.uuid = listed.dataset_uuid
    JOIN dataset_schemas AS schema ON schema.own_name_uuid = dataset.name_uuid
    JOIN dataset_fields AS field ON field.dataset_uuid = dataset.uuid AND field.latest_event = schema.latest_event
    ORDER BY field.uuid
    FOR UPDATE OF field
    FOR KEY SHARE OF schema
),
changed AS (
    UPDATE dataset_fields AS stored
    SET schema_uuid = described.schema_uuid, updated_at = described.created_at, latest_event = NULL
    FROM described
    WHERE stored.uuid = described.uuid
    RETURNING stored.uuid
)
SELECT
    (SELECT dataset_uuid::text FROM chunk ORDER BY chunk.dataset_uuid DESC LIMIT 1) AS last,
    (SELECT count(*) FROM chunk) AS looked_at,
    (SELECT count(*) FROM changed) AS changed;

-- name: column-schemas/tidy
-- It leaves nothing behind.
SELECT NULL::text AS last, 0 AS removed;

-- name: column-schemas/waits
-- Whether any column has the last event of a schema that is there.
SELECT EXISTS (
    SELECT
    FROM dataset_fields AS field
    JOIN datasets AS dataset ON dataset.uuid = field.dataset_uuid
    JOIN dataset_schemas AS schema
        ON schema.own_name_uuid = dataset.name_uuid AND schema.latest_event = field.latest_event
);
