-- Rendered from model/tables/run_states.py by `lineage sql`: edit the declaration, not this file.
CREATE OR REPLACE FUNCTION capture_run_states() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM public.streams WHERE name IN ('run_states')) THEN
        RETURN NULL;
    END IF;
    IF tg_op = 'INSERT' THEN
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), 1, uuid, transitioned_at, run_uuid, state
        FROM new_rows;
    ELSIF tg_op = 'UPDATE' THEN
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), sum(copies), uuid, transitioned_at, run_uuid, state
        FROM (
            SELECT -1 AS copies, uuid, transitioned_at, run_uuid, state FROM old_rows
            UNION ALL
            SELECT 1, uuid, transitioned_at, run_uuid, state FROM new_rows
        ) AS images
        GROUP BY uuid, transitioned_at, run_uuid, state
        HAVING sum(copies) <> 0;
    ELSIF tg_op = 'DELETE' THEN
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, transitioned_at, run_uuid, state
        FROM old_rows;
    ELSE
        INSERT INTO changes.run_states (change_xid, change_number, copies, uuid, transitioned_at, run_uuid, state)
        SELECT pg_current_xact_id(), (SELECT nextval('changes.change_numbers')), -1, uuid, transitioned_at, run_uuid, state
        FROM public.run_states;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER run_states_capture_insert AFTER INSERT ON run_states
REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

CREATE OR REPLACE TRIGGER run_states_capture_update AFTER UPDATE ON run_states
REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

CREATE OR REPLACE TRIGGER run_states_capture_delete AFTER DELETE ON run_states
REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

CREATE OR REPLACE TRIGGER run_states_capture_truncate BEFORE TRUNCATE ON run_states
FOR EACH STATEMENT EXECUTE FUNCTION capture_run_states();

ALTER TABLE run_states
ENABLE ALWAYS TRIGGER run_states_capture_insert,
ENABLE ALWAYS TRIGGER run_states_capture_update,
ENABLE ALWAYS TRIGGER run_states_capture_delete,
ENABLE ALWAYS TRIGGER run_states_capture_truncate;
