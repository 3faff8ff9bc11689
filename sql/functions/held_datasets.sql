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
