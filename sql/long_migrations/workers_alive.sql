-- The numbers of the workers whose sessions are there: each holds a lock, of which `workers` is the first half.
SELECT objid::bigint
FROM pg_locks
WHERE locktype = 'advisory' AND classid = %(workers)s AND objsubid = 2 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
