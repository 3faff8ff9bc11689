-- The jobs that legal holds are about: by their full name, their name without their parent's, or an earlier one; with the jobs that
-- they start, and with those that an operator has made one with them. This finds out what the name of a job means, for raw events
-- and tables alike. Called for a few rows too, where the caller keeps to the index.
CREATE OR REPLACE FUNCTION held_jobs()
RETURNS TABLE (hold bigint, uuid uuid, events_since timestamptz, events_until timestamptz)
LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = on
SET enable_hashjoin = on
AS $$
    WITH RECURSIVE found (hold, uuid, events_since, events_until) AS (
        SELECT held.hold, job.uuid, held.events_since, held.events_until
        FROM holds_by_namespace() AS held
        JOIN jobs AS job ON job.namespace_name = held.namespace
        WHERE held.dataset IS NULL
          AND held.run IS NULL
          AND (held.job IS NULL OR held.job IN (job.name, job.simple_name) OR held.job = ANY (job.aliases))
        UNION
        SELECT found.hold, other.uuid, found.events_since, found.events_until
        FROM found
        JOIN jobs AS job ON job.uuid = found.uuid
        CROSS JOIN LATERAL (
            SELECT part.uuid FROM jobs AS part WHERE part.parent_job_uuid = job.uuid
            UNION ALL
            SELECT alias.uuid FROM jobs AS alias WHERE alias.symlink_target_uuid = job.uuid
            UNION ALL
            SELECT job.symlink_target_uuid WHERE job.symlink_target_uuid IS NOT NULL
        ) AS other (uuid)
    )
    SELECT found.hold, found.uuid, found.events_since, found.events_until FROM found
$$;
