-- The checkpoint of a stream, unless it has another.
INSERT INTO stream_checkpoints (
    stream, next_offset, schema_id, path, rows, bytes, sha256, is_ordered, reordered_by, epoch
)
VALUES (
    %(stream)s,
    %(next_offset)s,
    %(schema_id)s,
    %(path)s,
    %(rows)s,
    %(bytes)s,
    decode(%(physical_hash)s, 'hex'),
    %(is_ordered)s,
    %(reordered_by)s,
    %(epoch)s
)
ON CONFLICT (stream) DO NOTHING
