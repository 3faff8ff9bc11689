-- The runs that legal holds are about: themselves, of a held job, or started by such a run. A parent's run may be of another namespace
-- than a child that names it: that of its first child. So a child that names it is looked for, too. Of all runs, or only of some with those
-- that they descend from, so that a few are judged without the rest.
CREATE OR REPLACE FUNCTION held_runs(among uuid[])
RETURNS TABLE (hold bigint, uuid uuid, events_since timestamptz, events_until timestamptz)
LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = on
SET enable_hashjoin = on
AS $$
    WITH RECURSIVE above (uuid) AS (
        SELECT unnest(among)
        UNION
        SELECT run.parent_run_uuid FROM above JOIN runs AS run USING (uuid) WHERE run.parent_run_uuid IS NOT NULL
    ),
    considered AS MATERIALIZED (
        SELECT run.uuid, run.job_uuid, run.parent_run_uuid
        FROM runs AS run
        WHERE among IS NULL AND EXISTS (SELECT FROM retention_holds_in_force)
        UNION ALL
        SELECT run.uuid, run.job_uuid, run.parent_run_uuid
        FROM above
        JOIN runs AS run USING (uuid)
        WHERE among IS NOT NULL
    ),
    found (hold, uuid, events_since, events_until) AS (
        SELECT held.hold, run.uuid, held.events_since, held.events_until
        FROM held_jobs() AS held
        JOIN considered AS run ON run.job_uuid = held.uuid
        UNION
        SELECT held.hold, run.uuid, held.events_since, held.events_until
        FROM holds_by_namespace() AS held
        JOIN considered AS run ON run.uuid = held.run
        JOIN jobs AS job ON job.uuid = run.job_uuid AND job.namespace_name = held.namespace
        UNION
        SELECT held.hold, run.uuid, held.events_since, held.events_until
        FROM holds_by_namespace() AS held
        JOIN parent_mentions AS mention ON mention.parent_run_uuid = held.run AND NOT mention.is_purged
        JOIN considered AS run ON run.uuid = mention.run_uuid
        JOIN jobs AS job ON job.uuid = run.job_uuid AND job.namespace_name = held.namespace
        UNION
        SELECT found.hold, child.uuid, found.events_since, found.events_until
        FROM found
        JOIN considered AS child ON child.parent_run_uuid = found.uuid
    )
    SELECT found.hold, found.uuid, found.events_since, found.events_until FROM found
$$;
