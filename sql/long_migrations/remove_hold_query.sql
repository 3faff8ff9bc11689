-- Removes a stored query.
DELETE FROM hold_queries WHERE name = %(name)s
