-- Takes files out of a stream. They stay where they are for a while: a reader may just have got their names.
WITH removed AS (
    DELETE FROM stream_parts
    WHERE stream = %(stream)s AND path = ANY (%(paths)s)
    RETURNING stream, path, bytes
)
INSERT INTO removed_stream_files (stream, path, bytes)
SELECT stream, path, bytes
FROM removed
