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
