-- What a receiver may do with tokens and reports.

-- name: functions/create_receiver_token
-- Keeps the digest of a new token; false if there is one of that name already, revoked or not.
CREATE OR REPLACE FUNCTION create_receiver_token(name text, digest bytea, namespaces text[], expires_at timestamptz)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO receiver_tokens (name, digest, namespaces, expires_at)
    VALUES (
        create_receiver_token.name,
        create_receiver_token.digest,
        create_receiver_token.namespaces,
        create_receiver_token.expires_at
    )
    ON CONFLICT (name) DO NOTHING;
    RETURN FOUND;
END
$$;

-- name: functions/revoke_receiver_token
-- Revokes a token, from the next request on; false if there is none of that name. A repeat keeps the moment of the first.
CREATE OR REPLACE FUNCTION revoke_receiver_token(name text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    UPDATE receiver_tokens SET revoked_at = coalesce(revoked_at, now()) WHERE name = revoke_receiver_token.name;
    RETURN FOUND;
END
$$;

-- name: functions/judge_receiver_tokens
-- What a token, known by its digest, may do with an event of a namespace; without a namespace, whether it is good at all. Who adds
-- events reads no table, so the owner answers. That a token was used is kept to the day: one that another transaction is keeping
-- just now is left to it, so that no one waits.
CREATE OR REPLACE FUNCTION judge_receiver_tokens(digests bytea[], namespaces text[]) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    UPDATE receiver_tokens AS used
    SET last_used_on = (now() AT TIME ZONE 'UTC')::date
    WHERE used.id IN (
        SELECT id
        FROM receiver_tokens
        WHERE digest = ANY (digests)
          AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > now())
          AND last_used_on IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date
        FOR UPDATE SKIP LOCKED
    );
    RETURN QUERY
    SELECT
        CASE
            WHEN known.id IS NULL THEN 'unknown'
            WHEN known.revoked_at IS NOT NULL THEN 'revoked'
            WHEN known.expires_at <= now() THEN 'expired'
            WHEN asked.namespace IS NOT NULL
                AND NOT EXISTS (
                    SELECT FROM unnest(known.namespaces) AS allowed (pattern) WHERE namespace_fits(allowed.pattern, asked.namespace)
                )
            THEN 'of another namespace'
            ELSE 'allowed'
        END
    FROM unnest(digests, namespaces) WITH ORDINALITY AS asked (digest, namespace, place)
    LEFT JOIN receiver_tokens AS known USING (digest)
    ORDER BY asked.place;
END
$$;

-- name: functions/report_receiver
-- A process that receives events reports that it lives, and what it did since its last report. Who adds events writes no other
-- table, so the owner keeps it. What is older than a month goes.
CREATE OR REPLACE FUNCTION report_receiver(
    id uuid, host text, process integer, is_ending boolean,
    outcomes text[], documents bigint[], requests bigint[], microseconds bigint[], longest bigint[]
) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    INSERT INTO receiver_processes AS known (id, host, process, started_at, reported_at, ended_at)
    VALUES (
        report_receiver.id, report_receiver.host, report_receiver.process, now(), now(),
        CASE WHEN is_ending THEN now() END
    )
    ON CONFLICT (id) DO UPDATE SET reported_at = excluded.reported_at, ended_at = excluded.ended_at;

    INSERT INTO receiver_hours AS counted (hour, outcome, documents, requests, microseconds, longest)
    SELECT
        date_trunc('hour', now(), 'UTC'), reported.outcome, reported.documents, reported.requests, reported.microseconds,
        reported.longest
    FROM unnest(
        outcomes, report_receiver.documents, report_receiver.requests, report_receiver.microseconds, report_receiver.longest
    ) AS reported (outcome, documents, requests, microseconds, longest)
    ORDER BY reported.outcome COLLATE "C"
    ON CONFLICT (hour, outcome) DO UPDATE SET
        documents = counted.documents + excluded.documents,
        requests = counted.requests + excluded.requests,
        microseconds = counted.microseconds + excluded.microseconds,
        longest = greatest(counted.longest, excluded.longest);

    DELETE FROM receiver_processes WHERE reported_at < now() - interval '1 month';
    DELETE FROM receiver_hours WHERE hour < now() - interval '1 month';
END
$$;

-- name: access/functions
-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION
    public.create_receiver_token, public.revoke_receiver_token, public.judge_receiver_tokens, public.report_receiver
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.create_receiver_token, public.revoke_receiver_token TO lineage_operator;
GRANT EXECUTE ON FUNCTION public.judge_receiver_tokens, public.report_receiver TO lineage_ingest;
