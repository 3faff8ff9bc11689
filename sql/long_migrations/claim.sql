-- A range for a worker: one that nobody has begun, or one whose pause after a failure is over, or one whose worker is dead.
UPDATE migration_ranges
SET state = 'running',
    worker = %(worker)s,
    interruptions = migration_ranges.interruptions + (claimed.state = 'running')::integer
FROM (
    SELECT id, state
    FROM migration_ranges
    WHERE migration = %(migration)s
      AND (
          state = 'pending'
          OR (state = 'waiting' AND not_before <= clock_timestamp())
          OR (state = 'running' AND NOT worker = ANY (%(alive)s))
      )
    ORDER BY state COLLATE "C", id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
) AS claimed
WHERE migration_ranges.id = claimed.id
RETURNING
    migration_ranges.id,
    coalesce(cursor_key, after_key) AS after,
    until_key AS until,
    rows,
    done,
    attempts,
    interruptions >= %(interruptions)s AS has_killed,
    claimed.state = 'running' AS was_running;
