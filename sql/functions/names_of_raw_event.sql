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
        SELECT said.namespace, CASE said.name WHEN job_name THEN regexp_replace(said.name COLLATE "C", '[.][^.]*$', '') ELSE said.name END
        FROM (
            SELECT
                facet #>> '{job,namespace}',
                facet #>> '{job,name}'
            FROM (VALUES (coalesce(event #> '{run,facets,parent}', event #> '{run,facets,parentRun}'))) AS read (facet)
        ) AS said (namespace, name)
        WHERE said.name IS NOT NULL
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
