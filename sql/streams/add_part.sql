-- A file that belongs to a stream from now on.
INSERT INTO stream_parts (
    stream, start_offset, end_offset, schema_id, path, bytes, sha256, logical_hash, commit_ends, epoch
)
VALUES (
    %(stream)s,
    %(start_offset)s,
    %(end_offset)s,
    %(schema_id)s,
    %(path)s,
    %(bytes)s,
    decode(%(physical_hash)s, 'hex'),
    decode(%(logical_hash)s, 'hex'),
    %(commit_ends)s::bigint[],
    %(epoch)s
)
