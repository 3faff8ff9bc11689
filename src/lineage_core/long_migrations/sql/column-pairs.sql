-- name: column-pairs/forget
-- Nothing is kept, so nothing has to be forgotten.
SELECT;

-- name: column-pairs/session
-- A worker keeps nothing.
SELECT;

-- name: column-pairs/step
-- The next lists get rows of their own.
WITH chunk AS MATERIALIZED (
    SELECT pairs_uuid
    FROM column_pairs_to_move
    WHERE (%(after)s::uuid IS NULL OR pairs_uuid > %(after)s::uuid) AND pairs_uuid <= %(until)s::uuid
    ORDER BY pairs_uuid
    FETCH FIRST %(rows)s ROWS WITH TIES
)
SELECT
    (SELECT pairs_uuid::text FROM chunk ORDER BY chunk.pairs_uuid DESC LIMIT 1) AS last,
    count(*) AS looked_at,
    take_in_pairs(array_agg(DISTINCT pairs_uuid)) AS changed
FROM chunk;

-- name: column-pairs/tidy
-- It leaves nothing behind.
SELECT NULL::text AS last, 0 AS removed;

-- name: column-pairs/waits
-- Whether an earlier release has left any.
SELECT EXISTS (SELECT FROM column_pairs_to_move);
