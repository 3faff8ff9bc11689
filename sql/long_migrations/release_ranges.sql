-- Lets the ranges that wait after a failure be taken at once.
UPDATE migration_ranges
SET state = 'pending', attempts = 0, interruptions = 0, not_before = NULL
WHERE migration = %(migration)s AND state = 'waiting'
