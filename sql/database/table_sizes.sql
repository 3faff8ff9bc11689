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
