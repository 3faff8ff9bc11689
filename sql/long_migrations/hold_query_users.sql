-- The migrations that are held by a stored query, by name.
SELECT name FROM migrations WHERE settings ->> 'hold_query' = %(name)s ORDER BY name COLLATE "C"
