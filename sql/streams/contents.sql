-- The rows of a table whose rows never change, those too that have been removed and that changes may still name.
SELECT {columns}
FROM {table}
UNION ALL
SELECT DISTINCT {names}
FROM {changes} AS removed
WHERE NOT EXISTS (SELECT FROM {table} AS stored WHERE ({stored_key}) = ({removed_key}))
