-- Files whose grace time is over may be deleted from now on. None that belongs to a stream is among them.
UPDATE removed_stream_files AS removed
SET deleted_at = now()
WHERE removed.stream = %(stream)s
  AND removed.deleted_at IS NULL
  AND removed.removed_at <= now() - make_interval(secs => %(grace)s)
  AND NOT EXISTS (SELECT FROM stream_parts AS part WHERE part.path = removed.path)
  AND NOT EXISTS (SELECT FROM stream_checkpoints AS made WHERE made.path = removed.path)
