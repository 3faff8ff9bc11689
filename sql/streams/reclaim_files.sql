-- Files that were to be deleted belong to a stream again: a run has written them once more. How many of them may be gone already.
WITH reclaimed AS (
    DELETE FROM removed_stream_files
    WHERE path = ANY (%(paths)s)
    RETURNING deleted_at
)
SELECT count(*)
FROM reclaimed
WHERE deleted_at IS NOT NULL
