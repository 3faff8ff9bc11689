-- Each partition of lineage_events that holds rows, as it is attached now: attached again, itself or with the one that it is
-- a part of, it is another one.
CREATE OR REPLACE FUNCTION event_partitions() RETURNS text[]
LANGUAGE sql STABLE
AS $$
SELECT coalesce(array_agg(format('%s:%s', tree.relid::oid, attached)), '{}')
FROM pg_partition_tree('public.lineage_events') AS tree
CROSS JOIN LATERAL (
    SELECT string_agg(pg_inherits.xmin::text, '/' ORDER BY inhrelid)
    FROM pg_partition_ancestors(tree.relid) AS above JOIN pg_inherits ON inhrelid = above.relid
) AS way (attached)
WHERE isleaf
$$;
