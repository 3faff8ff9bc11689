-- Keeps legal holds from being placed until the transaction ends, and waits for those that are being placed now: what is then read
-- of holds is so when the transaction ends, too. Whoever deletes calls it first. Placing one waits for a chunk at most.
CREATE OR REPLACE FUNCTION keep_holds() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    LOCK TABLE retention_holds IN SHARE MODE;
END
$$;
