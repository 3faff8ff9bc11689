-- The next schema of a stream.
INSERT INTO stream_schemas (stream, schema_id, columns)
VALUES (%(stream)s, %(schema_id)s, %(columns)s::jsonb)
