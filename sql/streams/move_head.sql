-- Moves the head behind what was written, unless it has moved since that was begun, or the schema of the stream has evolved.
UPDATE stream_heads
SET next_offset = %(next_offset)s,
    published = %(seen)s::pg_snapshot,
    system_time = coalesce(%(system_time)s, system_time),
    epoch = %(epoch)s,
    updated_at = now()
WHERE stream = %(stream)s
  AND started_xid = %(started_xid)s
  AND schema_id = %(schema_id)s
  AND schema_id = (SELECT max(schema_id) FROM stream_schemas WHERE stream = %(stream)s)
  AND next_offset = %(start_offset)s
  AND published::text IS NOT DISTINCT FROM (%(published)s)::text
