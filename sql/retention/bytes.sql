-- What so many rows of these tables take, by the mean of each table with its indexes.
SELECT coalesce(
    sum(pg_total_relation_size(relation.oid) * (going.rows / greatest(relation.reltuples, going.rows, 1))), 0
)::bigint
FROM unnest(%(tables)s::text[], %(rows)s::bigint[]) AS going (name, rows)
JOIN pg_class AS relation ON relation.oid = to_regclass('public.' || going.name)
