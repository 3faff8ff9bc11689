-- The streams of which very many small files lie side by side, and how many.
SELECT stream AS name, count(*) AS small_parts
FROM stream_parts
WHERE bytes < %(small)s
GROUP BY stream
HAVING count(*) >= %(many)s
ORDER BY stream COLLATE "C"
