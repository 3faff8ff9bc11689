-- The text of a stored query.
SELECT query FROM hold_queries WHERE name = %(name)s
