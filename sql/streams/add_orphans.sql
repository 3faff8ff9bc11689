-- Files that belong to no stream, as an interrupted run leaves them, are to be deleted.
INSERT INTO removed_stream_files (stream, path)
SELECT %(stream)s, path
FROM unnest(%(paths)s::text[]) AS found (path)
ON CONFLICT (path) DO NOTHING
