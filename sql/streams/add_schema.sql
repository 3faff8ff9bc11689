-- The next schema of a stream, unless another is.
INSERT INTO stream_schemas (stream, schema_id, migration_type, key)
VALUES (%(stream)s, %(schema_id)s, %(migration_type)s::jsonb, %(key)s::text[])
ON CONFLICT (stream, schema_id) DO NOTHING
