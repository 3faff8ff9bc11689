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

-- name: functions/lock_document
-- A document in quarantine, which no one else may try again until the transaction ends.
CREATE OR REPLACE FUNCTION lock_document(document bigint) RETURNS TABLE (raw bytea, source text)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY SELECT held.raw, held.source FROM quarantine AS held WHERE held.id = document FOR UPDATE;
END
$$;

-- name: functions/take_in_document
-- Makes a document of the quarantine an event, byte for byte; false, with nothing changed, if another time is read in it than the
-- one of these microseconds since 1970. Who calls it adds no event of his own, and says nothing of it.
CREATE OR REPLACE FUNCTION take_in_document(document bigint, event_microseconds bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO, YMD'
AS $$
#variable_conflict use_column
DECLARE
    event CONSTANT jsonb := convert_from(raw, 'UTF8')::jsonb FROM quarantine WHERE id = document;
    instant CONSTANT timestamptz := event_instant(event ->> 'eventTime');
BEGIN
    IF instant IS NULL OR extract(epoch FROM instant) * 1000000 <> event_microseconds THEN
        RETURN false;
    END IF;
    PERFORM set_config('lineage.moves_events', 'off', true);
    INSERT INTO lineage_events (event_time, event) VALUES (instant, event);
    DELETE FROM quarantine WHERE id = document;
    RETURN true;
END
$$;

-- name: functions/refuse_document_again
-- Writes why a document is still refused.
CREATE OR REPLACE FUNCTION refuse_document_again(document bigint, reason text, path text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    UPDATE quarantine
    SET reason = refuse_document_again.reason, path = refuse_document_again.path
    WHERE id = refuse_document_again.document;
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
-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION
    public.discard_documents, public.lock_document, public.take_in_document, public.refuse_document_again
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
    public.discard_documents, public.lock_document, public.take_in_document, public.refuse_document_again
TO lineage_operator;
