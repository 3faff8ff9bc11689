-- Forgets the scripts of which there is no file any more.
DELETE FROM schema_scripts WHERE path = ANY(%(paths)s)
