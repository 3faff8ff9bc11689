-- Writes when the last range was done; no row if one is not, or if the migration does not run.
UPDATE migrations
SET finished_at = clock_timestamp()
WHERE name = %(migration)s
  AND state = %(running)s
  AND NOT EXISTS (SELECT FROM migration_ranges AS range WHERE range.migration = name AND range.state <> 'done')
