-- The streams that are on.
SELECT name, started_by, started_at, started_xid
FROM streams
ORDER BY name COLLATE "C"
