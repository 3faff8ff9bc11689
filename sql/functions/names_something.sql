-- Whether the tables know anything of what a legal hold is about. What they do not know may come, or wait as a raw event: it is held
-- all the same.
CREATE OR REPLACE FUNCTION names_something(hold bigint) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM retention_restored_events AS restored WHERE restored.hold = names_something.hold
    ) OR EXISTS (
        SELECT
        FROM holds_by_namespace() AS held
        WHERE held.hold = names_something.hold
          AND CASE
              WHEN held.dataset IS NOT NULL THEN EXISTS (
                  SELECT
                  FROM dataset_symlinks AS symlink
                  WHERE symlink.namespace_uuid = held.namespace_uuid AND symlink.name = held.dataset
              )
              WHEN held.job IS NOT NULL THEN EXISTS (
                  SELECT
                  FROM jobs AS job
                  WHERE job.namespace_name = held.namespace
                    AND (held.job IN (job.name, job.simple_name) OR held.job = ANY (job.aliases))
              )
              WHEN held.run IS NOT NULL THEN EXISTS (SELECT FROM runs WHERE runs.uuid = held.run)
              ELSE true
          END
    );
END
$$;
