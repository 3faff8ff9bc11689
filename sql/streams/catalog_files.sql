-- The files that a stream consists of: its parts, and its checkpoint.
SELECT path FROM stream_parts WHERE stream = %(stream)s
UNION ALL
SELECT path FROM stream_checkpoints WHERE stream = %(stream)s
ORDER BY path
