-- All names of the jobs and datasets that legal holds are about, each with the times for which they are: found once for a statement,
-- to be looked up for each of its raw events. A key is a formatted namespace, in which there is no line feed, and a name.
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
