-- Keeps a plan of retention; its number. How it is written follows from what goes by it (see set_written.sql).
INSERT INTO retention_plans (as_of, cutoffs, written)
VALUES (%(as_of)s, %(cutoffs)s, '{}')
RETURNING id
