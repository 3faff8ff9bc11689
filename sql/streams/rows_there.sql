-- What a table has, as if one transaction had brought it.
SELECT 0::bigint AS commit_number, 1 AS copies, {columns}
FROM {table} AS there
