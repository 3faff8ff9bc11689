-- name: schema-fields/forget
-- Nothing is kept, so nothing has to be forgotten.
SELECT;

-- name: schema-fields/session
-- A worker keeps nothing.
SELECT;

-- name: schema-fields/step
-- The next schema versions get their columns, if they do not have them yet.
WITH chunk AS MATERIALIZED (
    SELECT uuid
    FROM dataset_schema_versions
    WHERE (%(after)s::uuid IS NULL OR uuid > %(after)s::uuid) AND uuid <= %(until)s::uuid
    ORDER BY uuid
    LIMIT %(rows)s
)
SELECT
    (SELECT uuid::text FROM chunk ORDER BY chunk.uuid DESC LIMIT 1) AS last,
    count(*) AS looked_at,
    take_in_fields(array_agg(uuid)) AS changed
FROM chunk;

-- name: schema-fields/tidy
-- It leaves nothing behind.
SELECT NULL::text AS last, 0 AS removed;

-- name: schema-fields/waits
-- Whether an earlier release has left any.
SELECT EXISTS (SELECT FROM schema_fields_to_move);
