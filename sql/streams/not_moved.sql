-- The streams that are on and whose heads have not moved for a day. Null where the head does not belong to this start.
SELECT streams.name, head.published::text AS published
FROM streams
LEFT JOIN stream_heads AS head ON head.stream = streams.name AND head.started_xid = streams.started_xid
WHERE streams.started_at < now() - interval '1 day'
  AND coalesce(head.updated_at, '-infinity') < now() - interval '1 day'
ORDER BY streams.name COLLATE "C"
