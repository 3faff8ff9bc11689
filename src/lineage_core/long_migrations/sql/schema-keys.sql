-- name: schema-keys/forget
-- Nothing is kept, so nothing has to be forgotten.
SELECT;

-- name: schema-keys/session
-- A worker keeps nothing.
SELECT;

-- name: schema-keys/step
-- The next schemas get the keys of their fields, if they do not have them yet. They are locked in the order in which a merge locks
-- them.
WITH chunk AS MATERIALIZED (
    SELECT uuid
    FROM dataset_schemas
    WHERE (%(after)s::uuid IS NULL OR uuid > %(after)s::uuid) AND uuid <= %(until)s::uuid
    ORDER BY uuid
    LIMIT %(rows)s
),
waiting AS MATERIALIZED (
    SELECT stored.uuid
    FROM chunk
    JOIN dataset_schemas AS stored USING (uuid)
    WHERE stored.keyed_fields IS NOT NULL
    ORDER BY stored.uuid
    FOR NO KEY UPDATE OF stored
),
changed AS (
    UPDATE dataset_schemas AS stored
    SET field_keys = ARRAY(
            SELECT listed.uuid
            FROM ROWS FROM (jsonb_to_recordset(stored.keyed_fields) AS (uuid uuid)) WITH ORDINALITY AS listed (uuid, place)
            ORDER BY listed.place
        ),
        keyed_fields = NULL
    FROM waiting
    WHERE stored.uuid = waiting.uuid
    RETURNING stored.uuid
)
SELECT
    (SELECT uuid::text FROM chunk ORDER BY chunk.uuid DESC LIMIT 1) AS last,
    (SELECT count(*) FROM chunk) AS looked_at,
    (SELECT count(*) FROM changed) AS changed;

-- name: schema-keys/tidy
-- It leaves nothing behind.
SELECT NULL::text AS last, 0 AS removed;

-- name: schema-keys/waits
-- Whether an earlier release has left any.
SELECT EXISTS (SELECT FROM dataset_schemas WHERE keyed_fields IS NOT NULL);
