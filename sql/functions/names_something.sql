-- Whether the tables know anything of what a legal hold is about. What they do not know may come, or wait as a raw event: it is held
-- all the same.
CREATE OR REPLACE FUNCTION names_something(hold bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_variable
DECLARE
    named_run CONSTANT uuid := placed.run FROM retention_holds AS placed WHERE placed.id = hold;
BEGIN
    RETURN EXISTS (SELECT FROM retention_restored_events AS restored WHERE restored.hold = hold)
        OR EXISTS (SELECT FROM held_jobs() AS held WHERE held.hold = hold)
        OR EXISTS (SELECT FROM held_datasets() AS held WHERE held.hold = hold)
        OR EXISTS (SELECT FROM held_runs(ARRAY[named_run]) AS held WHERE held.hold = hold);
END
$$;
