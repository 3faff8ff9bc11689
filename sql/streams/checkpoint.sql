-- The last checkpoint of a stream.
SELECT
    next_offset, schema_id, path, rows, bytes, encode(sha256, 'hex') AS physical_hash, is_ordered, reordered_by
FROM stream_checkpoints
WHERE stream = %(stream)s
