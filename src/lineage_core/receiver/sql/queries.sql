-- name: status/receiver
-- What came over HTTP since the last full hour began, and how many processes receive.
SELECT
    (
        SELECT count(*)
        FROM receiver_processes
        WHERE ended_at IS NULL AND reported_at > now() - interval '5 minutes'
    ) AS processes,
    coalesce(sum(documents) FILTER (WHERE outcome IN ('accepted', 'spooled')), 0)::bigint AS accepted,
    coalesce(sum(documents) FILTER (WHERE outcome NOT IN ('accepted', 'spooled')), 0)::bigint AS refused,
    (sum(microseconds) FILTER (WHERE outcome = 'accepted') / sum(requests) FILTER (WHERE outcome = 'accepted'))::bigint
        AS mean_microseconds,
    max(longest) FILTER (WHERE outcome = 'accepted') AS longest_microseconds
FROM receiver_hours
WHERE hour >= date_trunc('hour', now(), 'UTC') - interval '1 hour'

-- name: store
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

-- name: report
-- Reports what a process did since it reported last.
SELECT report_receiver(
    %(id)s, %(host)s, %(process)s, %(is_ending)s, %(outcomes)s::text[], %(documents)s::bigint[], %(requests)s::bigint[],
    %(microseconds)s::bigint[], %(longest)s::bigint[]
)

-- name: create
-- Keeps the digest of a new token; whether its name was free.
SELECT create_receiver_token(%(name)s, %(digest)s, %(namespaces)s, %(expires_at)s)

-- name: revoke
-- Revokes a token; whether there is one of that name.
SELECT revoke_receiver_token(%(name)s)

-- name: tokens
-- All tokens, the newest last.
SELECT name, namespaces, expires_at, created_by, created_at, revoked_at, last_used_on, expires_at <= now() AS is_expired
FROM receiver_tokens
ORDER BY id

-- name: judge
-- What each of these tokens may do, in their order.
SELECT judge_receiver_tokens(%(digests)s::bytea[], %(namespaces)s::text[])

-- name: checks/expiring_tokens
-- Tokens in use that expire within a week, or have within the last one. One that is not used lately does not matter.
SELECT format('The token %s expires at %s, and was used last on %s', name, expires_at, last_used_on)
FROM receiver_tokens
WHERE revoked_at IS NULL
  AND expires_at BETWEEN now() - interval '7 days' AND now() + interval '7 days'
  AND last_used_on >= (now() - interval '30 days')::date
ORDER BY expires_at, id

-- name: checks/refused_documents
-- Reasons for which ten documents or more were refused since the last full hour began, twice as many as in two hours of the day
-- before on average.
SELECT format(
    '%s documents were refused over HTTP since %s UTC with status %s', sum(documents) FILTER (WHERE is_now),
    to_char(min(since) AT TIME ZONE 'UTC', 'HH24:MI'), outcome
)
FROM (
    SELECT *, hour >= since AS is_now
    FROM receiver_hours, (SELECT date_trunc('hour', now(), 'UTC') - interval '1 hour' AS since) AS hours
    WHERE hour >= since - interval '1 day' AND outcome NOT IN ('accepted', 'spooled')
) AS refused
GROUP BY outcome
HAVING sum(documents) FILTER (WHERE is_now) >= 10
   AND sum(documents) FILTER (WHERE is_now) > 2 * coalesce(sum(documents) FILTER (WHERE NOT is_now), 0) / 12
ORDER BY outcome COLLATE "C"

-- name: checks/silent_receivers
-- Processes that reported within the last day, not within five minutes, did not end as asked, and were not followed by another
-- on their machine.
SELECT format(
    'The receiver %s on %s has not reported since %s UTC',
    process, host, to_char(reported_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI')
)
FROM receiver_processes AS silent
WHERE ended_at IS NULL
  AND reported_at < now() - interval '5 minutes'
  AND reported_at > now() - interval '1 day'
  AND NOT EXISTS (
      SELECT FROM receiver_processes AS next WHERE next.host = silent.host AND next.started_at > silent.reported_at
  )
ORDER BY reported_at, id
