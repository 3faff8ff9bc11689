-- What people do with the quarantine, and what the store remembers of it.

-- name: functions/discard_documents
-- Takes documents out of quarantine for good, and keeps what they were, without their text. Gives the numbers of those that were
-- there.
CREATE OR REPLACE FUNCTION discard_documents(documents bigint[], why text) RETURNS SETOF bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH taken AS (
        DELETE FROM quarantine WHERE id = ANY (documents)
        RETURNING digest, id, reason, path, source, octet_length(raw) AS bytes, received_at
    ),
    kept AS (
        INSERT INTO discarded_documents (digest, document, reason, path, source, bytes, received_at, why)
        SELECT digest, id, reason, path, source, bytes, received_at, discard_documents.why FROM taken
        ON CONFLICT (digest) DO NOTHING
    )
    SELECT id FROM taken ORDER BY id;
END
$$;

-- name: functions/refuse_discarded
-- Keeps a document out of quarantine that somebody has discarded: its raw event may be read again at any time. Who adds documents
-- reads no table, so the owner looks.
CREATE OR REPLACE FUNCTION refuse_discarded() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF EXISTS (SELECT FROM public.discarded_documents WHERE digest = sha256(NEW.raw)) THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END
$$;

-- name: triggers/quarantine
-- What was discarded stays so, whoever reads it again.
CREATE OR REPLACE TRIGGER quarantine_refuse_discarded BEFORE INSERT ON quarantine FOR EACH ROW
EXECUTE FUNCTION refuse_discarded();

-- name: access/functions
-- Who may call the function that does what its owner may.
REVOKE EXECUTE ON FUNCTION public.discard_documents FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.discard_documents TO lineage_operator;
