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
