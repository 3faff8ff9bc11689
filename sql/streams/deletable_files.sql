-- Files that may be deleted, or are gone already.
SELECT path
FROM removed_stream_files
WHERE stream = %(stream)s AND deleted_at IS NOT NULL
ORDER BY path COLLATE "C"
