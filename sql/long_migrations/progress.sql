-- Writes what a transaction did in its range; no row if it ended where it began, or before.
UPDATE migration_ranges
SET cursor_key = coalesce(%(last)s::text, cursor_key),
    changed = changed + %(changed)s,
    done = CASE WHEN %(is_last)s THEN rows ELSE least(done + %(looked_at)s, rows) END,
    state = CASE WHEN %(is_last)s THEN 'done' ELSE state END,
    attempts = 0,
    interruptions = 0
WHERE id = %(id)s AND coalesce(coalesce(cursor_key, after_key)::{kind} < %(last)s::text::{kind}, true)
