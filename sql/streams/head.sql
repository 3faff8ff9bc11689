-- How far a stream is published. The version is that of the row itself: one that was moved, or restored by a dump, has another.
SELECT
    stream,
    started_xid,
    waits_for,
    published::text AS published,
    next_offset,
    schema_id,
    system_time,
    xmin::text::bigint AS version
FROM stream_heads
WHERE stream = %(stream)s
