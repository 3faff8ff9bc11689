-- Keeps a publication from adding files to a stream until the transaction ends.
SELECT stream
FROM stream_heads
WHERE stream = %(stream)s
FOR UPDATE
