-- The names of all namespaces, formatted.
SELECT name FROM namespaces ORDER BY name COLLATE "C"
