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
