-- The last schema of a stream.
SELECT schema_id, columns
FROM stream_schemas
WHERE stream = %(stream)s
ORDER BY schema_id DESC
LIMIT 1
