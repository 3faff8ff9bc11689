-- What a token, known by its digest, may do with an event of a namespace; without a namespace, whether it is good at all. Who adds
-- events reads no table, so the owner answers. That a token was used is kept to the day: one that another transaction is keeping
-- just now is left to it, so that nobody waits.
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
