-- The files of a stream, in the order of their offsets.
SELECT
    start_offset,
    end_offset,
    schema_id,
    path,
    bytes,
    encode(sha256, 'hex') AS physical_hash,
    encode(logical_hash, 'hex') AS logical_hash,
    commit_ends
FROM stream_parts
WHERE stream = %(stream)s
ORDER BY start_offset
