-- The refused documents of a chunk.
DELETE FROM quarantine AS stored
USING leaving_quarantine AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.id = leaving.id
