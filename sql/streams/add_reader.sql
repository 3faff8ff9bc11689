-- What a reader reads of a stream; null is every column of the schema that it was written for.
INSERT INTO stream_readers (stream, reader, schema_id, columns)
VALUES (%(stream)s, %(reader)s, %(schema_id)s, %(columns)s::text[])
