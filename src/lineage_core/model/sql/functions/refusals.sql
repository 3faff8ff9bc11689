-- Refusals of what nobody may do.

-- name: refuse_changes
-- Refuses to change or remove a row of a table that only grows, whoever asks.
CREATE OR REPLACE FUNCTION refuse_changes() RETURNS trigger
LANGUAGE plpgsql
SET search_path = public, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION '% only grows: its rows are the history of who has said what', tg_table_name
        USING ERRCODE = 'object_not_in_prerequisite_state';
END
$$;

-- name: refuse_writing
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
