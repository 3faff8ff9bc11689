-- name: as_of
-- The moment of the snapshot.
SELECT now()
