-- Takes the checkpoint of a stream away, if it is this one.
WITH removed AS (
    DELETE FROM stream_checkpoints
    WHERE stream = %(stream)s AND path = %(path)s
    RETURNING stream, path, bytes
)
INSERT INTO removed_stream_files (stream, path, bytes)
SELECT stream, path, bytes
FROM removed
