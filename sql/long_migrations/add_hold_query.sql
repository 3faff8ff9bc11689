-- Stores a query that may hold migrations, in place of one of its name.
INSERT INTO hold_queries (name, query)
VALUES (%(name)s, %(query)s)
ON CONFLICT (name) DO UPDATE
SET query = excluded.query, stored_by = excluded.stored_by, stored_at = excluded.stored_at
