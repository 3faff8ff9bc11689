-- Who reads a stream, by name.
SELECT reader, schema_id, columns
FROM stream_readers
WHERE stream = %(stream)s
ORDER BY reader COLLATE "C"
