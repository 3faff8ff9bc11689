-- How acts of people come into the store.

-- name: functions/record_act
-- Writes what somebody did, under the login of the session; its number. Who acts may add a row, and change none.
CREATE OR REPLACE FUNCTION record_act(what text, subject text, outcome text, person text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
    number bigint;
BEGIN
    INSERT INTO operator_acts (what, subject, outcome, person) VALUES (what, subject, outcome, person)
    RETURNING id INTO number;
    RETURN number;
END
$$;

-- name: access/functions
-- Who may call the function that does what its owner may.
REVOKE EXECUTE ON FUNCTION public.record_act FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.record_act TO lineage_jobs, lineage_operator;
