-- The schemas of a stream, in their order.
SELECT schema_id, migration_type, key
FROM stream_schemas
WHERE stream = %(stream)s
ORDER BY schema_id
