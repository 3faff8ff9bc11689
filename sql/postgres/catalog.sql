-- What the catalog says of one schema, a row for each aspect of each object: (kind, name, table, definition). With that
-- schema first in the search path, two schemas that are made alike give the same rows.
WITH relation AS (
    SELECT class.oid, class.relname, class.relkind, class.relpersistence
    FROM pg_class AS class
    WHERE class.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %(schema)s) AND NOT class.relispartition
)
SELECT 'table' AS kind, relname::text AS name, relname::text AS relation,
    CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'table' END
    || CASE relpersistence WHEN 'u' THEN ', unlogged' ELSE '' END
    || coalesce(', partitioned by ' || pg_get_partkeydef(oid), '') AS definition
FROM relation WHERE relkind IN ('r', 'p', 'v', 'm')
UNION ALL
SELECT aspect.kind, relname || '.' || attname, relname, aspect.definition
FROM relation
JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_attrdef AS expression ON expression.adrelid = relation.oid AND expression.adnum = attnum
CROSS JOIN LATERAL (
    VALUES
        ('column', format_type(atttypid, atttypmod)),
        ('nullability of', CASE WHEN attnotnull THEN 'NOT NULL' ELSE 'NULL' END),
        ('identity of', nullif(attidentity, '')::text),
        (CASE attgenerated WHEN '' THEN 'default of' ELSE 'expression of' END, pg_get_expr(adbin, adrelid, true))
) AS aspect (kind, definition)
WHERE relkind IN ('r', 'p', 'c') AND aspect.definition IS NOT NULL
UNION ALL
SELECT 'constraint', relname || '.' || conname, relname, pg_get_constraintdef(pg_constraint.oid, true)
FROM relation JOIN pg_constraint ON conrelid = relation.oid AND contype IN ('p', 'u', 'f', 'c', 'x')
UNION ALL
SELECT 'index', index_class.relname, relation.relname, pg_get_indexdef(indexrelid, 0, true)
FROM relation
JOIN pg_index ON indrelid = relation.oid
JOIN pg_class AS index_class ON index_class.oid = indexrelid
WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
UNION ALL
SELECT 'trigger', relname || '.' || tgname, relname,
    pg_get_triggerdef(pg_trigger.oid, true)
    || CASE tgenabled WHEN 'O' THEN '' WHEN 'A' THEN ', always' WHEN 'R' THEN ', on replicas' ELSE ', disabled' END
FROM relation JOIN pg_trigger ON tgrelid = relation.oid AND NOT tgisinternal
UNION ALL
SELECT 'query of', relname, relname, pg_get_viewdef(oid, true)
FROM relation WHERE relkind IN ('v', 'm')
UNION ALL
SELECT 'sequence', relname, NULL, format_type(seqtypid, NULL) || coalesce(', owned by ' || owner.name, '')
FROM relation
JOIN pg_sequence ON seqrelid = oid
LEFT JOIN LATERAL (
    SELECT refobjid::regclass || '.' || attname
    FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
    WHERE classid = 'pg_class'::regclass AND objid = oid AND refclassid = 'pg_class'::regclass AND deptype = 'a'
) AS owner (name) ON true
UNION ALL
SELECT 'function', proname || '(' || pg_get_function_identity_arguments(oid) || ')', NULL, concat_ws(
    E'\n', pg_get_function_result(oid), pg_get_function_arguments(oid), provolatile, proparallel, prosecdef,
    proisstrict, proconfig, coalesce(pg_get_function_sqlbody(oid), prosrc)
)
FROM pg_proc WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = %(schema)s) AND prokind = 'f'
UNION ALL
-- The partitions that a table is never without: those which are divided again, and those for all that no other takes.
SELECT 'partition', child.relname, root.relname, concat_ws(
    ', partitioned by ', pg_get_expr(child.relpartbound, child.oid), pg_get_partkeydef(child.oid)
)
FROM pg_class AS child
JOIN relation AS root ON root.oid = pg_partition_root(child.oid)
WHERE child.relispartition
  AND child.relkind IN ('r', 'p')
  AND (child.relkind = 'p' OR pg_get_expr(child.relpartbound, child.oid) = 'DEFAULT')
