-- Writes when the first worker began; the state, and when the migration was planned.
UPDATE migrations
SET started_at = coalesce(started_at, clock_timestamp())
WHERE name = %(migration)s
RETURNING state, planned_at
