-- Refuses to write into a view whose rows follow from what events say.
CREATE OR REPLACE FUNCTION refuse_writing() RETURNS trigger
LANGUAGE plpgsql
SET search_path = public, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION '% is a view: its rows follow from events, so nobody writes into it', tg_table_name
        USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Hand in an event that says it, by "lineage ingest" or the transport.';
END
$$;
