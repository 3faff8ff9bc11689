-- Bytes of a table on disk, its indexes included.
SELECT pg_total_relation_size(%(table)s::regclass)
