-- Files that are gone for as long as the grace time: nobody writes them who has seen them there.
DELETE FROM removed_stream_files
WHERE path = ANY (%(paths)s) AND deleted_at <= now() - make_interval(secs => %(grace)s)
