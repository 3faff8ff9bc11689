-- The files of a stream, those too that are to be deleted.
SELECT path
FROM stream_parts
WHERE stream = %(stream)s
UNION ALL
SELECT path
FROM stream_checkpoints
WHERE stream = %(stream)s
UNION ALL
SELECT path
FROM removed_stream_files
WHERE stream = %(stream)s
