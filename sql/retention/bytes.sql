-- What so many rows of these tables take, by the mean of each table with its indexes. The number of rows is what ANALYZE has
-- found last, or what is counted as rows come and go, where nobody has analyzed the table yet.
SELECT coalesce(
    sum(
        pg_total_relation_size(relation.oid)
        * (going.rows / greatest(relation.reltuples, pg_stat_get_live_tuples(relation.oid), going.rows, 1))
    ),
    0
)::bigint
FROM unnest(%(tables)s::text[], %(rows)s::bigint[]) AS going (name, rows)
JOIN pg_class AS relation ON relation.oid = to_regclass('public.' || going.name)
