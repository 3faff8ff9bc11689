-- The files that a stream consists of: its parts, and its checkpoint.
SELECT path
FROM (
    SELECT path FROM stream_parts WHERE stream = %(stream)s
    UNION ALL
    SELECT path FROM stream_checkpoints WHERE stream = %(stream)s
) AS files
ORDER BY path COLLATE "C"
