-- Stores the events whose tokens allow it: one statement, so one transaction, and one way to the server and back. Without a
-- digest no token is needed. What each token may do, in their order, and how many events were stored. The events are unnested
-- where they are selected: in FROM, Postgres would keep a copy of all of them.
WITH judged AS MATERIALIZED (
    SELECT
        array_agg(verdict ORDER BY place) AS verdicts,
        array_agg(digest IS NULL OR verdict = 'allowed' ORDER BY place) AS allowed
    FROM ROWS FROM (
        judge_receiver_tokens(%(digests)b::bytea[], %(namespaces)b::text[]), unnest(%(digests)b::bytea[])
    ) WITH ORDINALITY AS sent (verdict, digest, place)
), stored AS (
    INSERT INTO lineage_events (event_time, event)
    SELECT instant(happened), written::jsonb
    FROM (
        SELECT
            unnest(%(times)b::bigint[]) AS happened,
            unnest(%(events)b::text[]) AS written,
            unnest((SELECT allowed FROM judged)) AS is_allowed
    ) AS sent
    WHERE is_allowed AND written IS NOT NULL
    RETURNING 1
)
SELECT verdicts, (SELECT count(*) FROM stored) AS stored
FROM judged
