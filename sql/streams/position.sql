-- How far a stream is published, and the id of its latest schema.
SELECT
    coalesce((SELECT next_offset FROM stream_heads WHERE stream = %(stream)s), 0) AS next_offset,
    (SELECT max(schema_id) FROM stream_schemas WHERE stream = %(stream)s) AS schema_id
