-- name: database_size
-- Bytes on disk of the whole database.
SELECT pg_database_size(current_database())

-- name: table_sizes
-- Bytes on disk of each table of the store, and of their partitions together; rows as Postgres estimates them. The largest first.
WITH RECURSIVE store (relation, name) AS (
    SELECT oid, relname
    FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
    UNION ALL
    SELECT inhrelid, store.name
    FROM store
    JOIN pg_inherits ON inhparent = store.relation
)
SELECT
    store.name::text AS "table",
    sum(CASE WHEN pg_class.relkind = 'r' AND pg_class.reltuples > 0 THEN pg_class.reltuples ELSE 0 END)::bigint AS rows,
    sum(pg_table_size(store.relation))::bigint AS table_bytes,
    sum(pg_indexes_size(store.relation))::bigint AS index_bytes
FROM store
JOIN pg_class ON pg_class.oid = store.relation
GROUP BY store.name
ORDER BY sum(pg_table_size(store.relation) + pg_indexes_size(store.relation)) DESC, store.name COLLATE "C"

-- name: stored_once
-- What is stored once: how many rows its views show, how many are stored in their place, and the bytes of both without indexes.
WITH used AS (
    SELECT run_facets_uuid AS set_uuid, count(*) AS times FROM event_ledger GROUP BY run_facets_uuid
    UNION ALL
    SELECT job_facets_uuid, count(*) FROM event_ledger GROUP BY job_facets_uuid
    UNION ALL
    SELECT facets_uuid, count(*) FROM dataset_mentions GROUP BY facets_uuid
    UNION ALL
    SELECT io_facets_uuid, count(*) FROM dataset_mentions GROUP BY io_facets_uuid
),
sized_sets AS (
    SELECT facet_sets.uuid AS set_uuid, count(*) AS facets, sum(pg_column_size(content.facet)) AS bytes
    FROM facet_sets
    CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
    JOIN facets AS content ON content.uuid = listed.facet_uuid
    GROUP BY facet_sets.uuid
),
shown_facets AS (
    SELECT coalesce(sum(used.times * sized.facets), 0) AS rows, coalesce(sum(used.times * sized.bytes), 0) AS bytes
    FROM used
    JOIN sized_sets AS sized USING (set_uuid)
),
kept_facets AS (
    SELECT count(*) AS rows, coalesce(sum(pg_column_size(content.facet)), 0) AS bytes
    FROM run_facets_kept_once AS kept
    JOIN facets AS content ON content.uuid = kept.facet_uuid
),
stored_facets AS (
    SELECT
        (SELECT count(*) FROM facets) AS rows,
        (SELECT coalesce(sum(pg_column_size(facet)), 0) FROM facets)
        + (SELECT coalesce(sum(pg_column_size(facet_sets.facets)), 0) FROM facet_sets) AS bytes
),
sized_lists AS (
    SELECT pairs_uuid, count(*) AS pairs, sum(pg_column_size(pair.*)) AS bytes
    FROM column_lineage_pairs AS pair
    GROUP BY pairs_uuid
),
shown_pairs AS (
    SELECT coalesce(sum(pairs), 0) AS rows, coalesce(sum(bytes), 0) AS bytes, count(*) AS versions
    FROM column_lineage_versions
    JOIN sized_lists USING (pairs_uuid)
)
SELECT content, shown_rows, stored_rows, shown_bytes, stored_bytes
FROM (
    SELECT
        'facets' AS content,
        (shown_facets.rows + kept_facets.rows)::bigint AS shown_rows,
        stored_facets.rows AS stored_rows,
        (shown_facets.bytes + kept_facets.bytes)::bigint AS shown_bytes,
        stored_facets.bytes::bigint AS stored_bytes
    FROM shown_facets, kept_facets, stored_facets
    UNION ALL
    SELECT
        'column lineage',
        shown_pairs.rows::bigint,
        (SELECT coalesce(sum(pairs), 0) FROM sized_lists)::bigint + shown_pairs.versions,
        shown_pairs.bytes::bigint,
        ((SELECT coalesce(sum(bytes), 0) FROM sized_lists)
            + (SELECT coalesce(sum(pg_column_size(versions.*)), 0) FROM column_lineage_versions AS versions))::bigint
    FROM shown_pairs
) AS found
ORDER BY content COLLATE "C" DESC

-- name: broken_references
-- How many rows of a table name, by a column, a row of another table that is not there.
SELECT count(*)
FROM {table} AS naming
WHERE naming.{column} IS NOT NULL
  AND NOT EXISTS (SELECT FROM {other} AS named WHERE named.{key} = naming.{column})
