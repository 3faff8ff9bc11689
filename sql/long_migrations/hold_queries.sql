-- The stored queries, by name.
SELECT name, query, stored_by, stored_at FROM hold_queries ORDER BY name COLLATE "C"
