-- What legal holds are about.

-- name: held_names
-- All names of the jobs and datasets that legal holds are about, each with the times for which they are: found once for a statement,
-- to be looked up for each of its raw events. A key is a formatted namespace, in which there is no line feed, and a name.
-- The settings undo those of a caller that keeps to indexes, as delete_archived_events does: here all names are wanted.
CREATE OR REPLACE FUNCTION held_names() RETURNS jsonb
LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = on
SET enable_hashjoin = on
AS $$
    SELECT jsonb_object_agg(entity, names)
    FROM (
        SELECT entity, jsonb_object_agg(namespace || chr(10) || name, times) AS names
        FROM (
            SELECT entity, namespace, name, range_agg(tstzrange(events_since, events_until))::text AS times
            FROM (
                SELECT 'jobs' AS entity, job.namespace_name AS namespace, job.name, held.events_since, held.events_until
                FROM held_jobs() AS held
                JOIN jobs AS job USING (uuid)
                UNION ALL
                SELECT 'datasets', dataset.namespace_name, dataset.name, held.events_since, held.events_until
                FROM held_datasets() AS held
                JOIN datasets AS dataset USING (uuid)
                UNION ALL
                SELECT 'datasets', named.name, symlink.name, held.events_since, held.events_until
                FROM held_datasets() AS held
                JOIN dataset_symlinks AS symlink ON symlink.dataset_uuid = held.uuid
                JOIN namespaces AS named ON named.uuid = symlink.namespace_uuid
            ) AS called
            GROUP BY entity, namespace, name
        ) AS timed
        GROUP BY entity
    ) AS listed
$$;

-- name: held_jobs
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

-- name: held_runs
-- The runs that legal holds are about: themselves, of a held job, or started by such a run. A parent's run may be of another namespace
-- than a child that names it: that of its first child. So a child that names it is looked for, too. Of all runs, or only of some with those
-- that they descend from, so that a few are judged without the rest. The settings are those of held_jobs, for the same reason.
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

-- name: held_datasets
-- The datasets that legal holds are about, by any of their names. This finds out what the name of a dataset means, for raw events
-- and tables alike.
CREATE OR REPLACE FUNCTION held_datasets()
RETURNS TABLE (hold bigint, uuid uuid, events_since timestamptz, events_until timestamptz)
LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
SET enable_seqscan = on
SET enable_hashjoin = on
AS $$
    SELECT DISTINCT held.hold, named.uuid, held.events_since, held.events_until
    FROM holds_by_namespace() AS held
    CROSS JOIN LATERAL (
        SELECT symlink.dataset_uuid
        FROM dataset_symlinks AS symlink
        WHERE symlink.namespace_uuid = held.namespace_uuid AND (held.dataset IS NULL OR symlink.name = held.dataset)
        UNION ALL
        SELECT dataset.uuid
        FROM datasets AS dataset
        WHERE dataset.namespace_name = held.namespace AND (held.dataset IS NULL OR dataset.name = held.dataset)
    ) AS named (uuid)
    WHERE held.job IS NULL AND held.run IS NULL AND named.uuid IS NOT NULL
$$;

-- name: holds_by_namespace
-- What the legal holds in force are about, for each namespace of the tables that their patterns mean. One whose time ends before it
-- begins is about nothing.
CREATE OR REPLACE FUNCTION holds_by_namespace()
RETURNS TABLE (
    hold bigint, namespace_uuid uuid, namespace text, dataset text, job text, run uuid, events_since timestamptz,
    events_until timestamptz
)
LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT held.id, named.uuid, named.name, held.dataset, held.job, held.run, held.events_since, held.events_until
    FROM retention_holds_in_force AS held
    JOIN namespaces AS named ON namespace_fits(held.namespace_pattern, formatted_namespace(named.name))
    WHERE held.manifest IS NULL AND coalesce(held.events_since < held.events_until, true)
$$;

-- name: is_held
-- Whether a raw event is under a legal hold by a name that it says: of its job or its parent, or of a dataset. `names` are those of
-- what the tables know (see held_names); what they do not know is held by what the hold says. `namespace` is as the tables hold it.
-- Runs that are held by what the tables say of them are looked for by held_runs.
CREATE OR REPLACE FUNCTION is_held(
    event_time timestamptz, namespace text, job_name text, run_uuid uuid, event jsonb, names jsonb
)
RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
    RETURN EXISTS (
        SELECT
        FROM names_of_raw_event(event, namespace, job_name) AS stated
        WHERE (names -> stated.entity ->> (stated.namespace || chr(10) || stated.name))::tstzmultirange @> event_time
    ) OR EXISTS (
        SELECT
        FROM retention_holds_in_force AS held
        WHERE held.manifest IS NULL
          AND (held.events_since IS NULL OR event_time >= held.events_since)
          AND (held.events_until IS NULL OR event_time < held.events_until)
          AND CASE
              WHEN held.run IS NOT NULL THEN
                  namespace_fits(held.namespace_pattern, namespace)
                  AND (run_uuid = held.run OR lower((event #>> '{run,facets,parent,run,runId}') COLLATE "C") = held.run::text)
              ELSE EXISTS (
                  SELECT
                  FROM names_of_raw_event(event, namespace, job_name) AS stated
                  WHERE namespace_fits(held.namespace_pattern, stated.namespace)
                    AND CASE
                        WHEN held.job IS NOT NULL THEN stated.entity = 'jobs' AND stated.name = held.job
                        WHEN held.dataset IS NOT NULL THEN stated.entity = 'datasets' AND stated.name = held.dataset
                        ELSE true
                    END
              )
          END
    ) OR is_restored(event, event_time);
END
$$;

-- name: keep_holds
-- Keeps legal holds from being placed until the transaction ends, and waits for those that are being placed now: what is then read
-- of holds is so when the transaction ends, too. Whoever deletes calls it first. Placing one waits for a chunk at most.
CREATE OR REPLACE FUNCTION keep_holds() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    LOCK TABLE retention_holds IN SHARE MODE;
END
$$;

-- name: names_something
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

-- name: names_dataset
-- Whether an event names a dataset by one of these names, in whatever namespace.
CREATE OR REPLACE FUNCTION names_dataset(event jsonb, names text[]) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    name text;
    named jsonb;
BEGIN
    FOREACH name IN ARRAY names LOOP
        named := jsonb_build_object('name', name);
        IF event @> jsonb_build_object('inputs', jsonb_build_array(named))
            OR event @> jsonb_build_object('outputs', jsonb_build_array(named))
            OR event @> jsonb_build_object('dataset', named)
        THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END
$$;

-- name: names_of_dataset
-- The names, without their namespaces, under which events may speak of a dataset; null if it is not known.
CREATE OR REPLACE FUNCTION names_of_dataset(dataset uuid) RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN (
        SELECT array_agg(DISTINCT named.name COLLATE "C")
        FROM (
            SELECT datasets.name::text FROM datasets WHERE datasets.uuid = dataset
            UNION ALL
            SELECT dataset_symlinks.name::text FROM dataset_symlinks WHERE dataset_symlinks.dataset_uuid = dataset
        ) AS named
    );
END
$$;

-- name: names_of_raw_event
-- All names that an event gives to jobs and datasets. A job is called as it is, or by the name of its parent and its own, and its
-- parent's name stands for it too: what a hold on the parent is about. An old Airflow gives the job's name as that of its parent.
CREATE OR REPLACE FUNCTION names_of_raw_event(event jsonb, job_namespace text, job_name text)
RETURNS TABLE (entity text, namespace text, name text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT 'jobs', job_namespace, coalesce(job_name, '')
    UNION ALL
    SELECT 'jobs', called.namespace, called.name
    FROM (
        SELECT
            stated.namespace,
            CASE stated.name WHEN job_name THEN regexp_replace(stated.name COLLATE "C", '[.][^.]*$', '') ELSE stated.name END
        FROM (
            SELECT
                facet #>> '{job,namespace}',
                facet #>> '{job,name}'
            FROM (VALUES (coalesce(event #> '{run,facets,parent}', event #> '{run,facets,parentRun}'))) AS read (facet)
        ) AS stated (namespace, name)
        WHERE stated.name IS NOT NULL
    ) AS parent (namespace, name)
    CROSS JOIN LATERAL (
        VALUES
            (job_namespace, parent.name),
            (public.formatted_namespace(parent.namespace), parent.name),
            (job_namespace, parent.name || '.' || job_name),
            (
                job_namespace,
                CASE WHEN starts_with(job_name, parent.name || '.') THEN substr(job_name, length(parent.name) + 2) END
            )
    ) AS called (namespace, name)
    WHERE called.name IS NOT NULL
    UNION ALL
    SELECT 'datasets', named.namespace, named.name
    FROM public.datasets_of_raw_event(event) AS named
$$;

-- name: datasets_of_raw_event
-- The datasets that an event names, by each name that it gives them: symlinks too. Namespaces as the tables hold them.
CREATE OR REPLACE FUNCTION datasets_of_raw_event(event jsonb) RETURNS TABLE (namespace text, name text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT public.formatted_namespace(named.dataset ->> 'namespace'), named.dataset ->> 'name'
    FROM (
        SELECT jsonb_path_query(event, '$.inputs[*]')
        UNION ALL
        SELECT jsonb_path_query(event, '$.outputs[*]')
        UNION ALL
        SELECT event -> 'dataset'
    ) AS mention (dataset)
    CROSS JOIN LATERAL (
        SELECT mention.dataset
        UNION ALL
        SELECT jsonb_path_query(mention.dataset, '$.facets.symlinks.identifiers[*]')
    ) AS named (dataset)
    WHERE named.dataset ->> 'namespace' IS NOT NULL AND named.dataset ->> 'name' IS NOT NULL
$$;
