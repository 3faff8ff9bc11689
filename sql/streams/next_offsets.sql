-- How far each stream is published that has records.
SELECT stream, next_offset
FROM stream_heads
WHERE next_offset > 0
ORDER BY stream COLLATE "C"
