-- Writes that all which the target sees is done.
UPDATE watermarks
SET done = %(target)s::pg_snapshot, target = NULL, cursor_xid = NULL, cursor_seq = NULL, updated_at = now()
WHERE name = %(name)s
