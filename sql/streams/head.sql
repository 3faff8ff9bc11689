-- How far a stream is published.
SELECT stream, started_xid, waits_for, published::text AS published, next_offset, schema_id, system_time
FROM stream_heads
WHERE stream = %(stream)s
