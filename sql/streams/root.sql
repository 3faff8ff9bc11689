-- The root of the streams.
SELECT root_id::text AS root_id, url, publication
FROM stream_roots
WHERE name = 'streams'
