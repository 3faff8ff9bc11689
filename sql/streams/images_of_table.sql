-- The rows of a stream that are those of one table.
SELECT commit_number, copies, {columns}
FROM {table} AS changed
