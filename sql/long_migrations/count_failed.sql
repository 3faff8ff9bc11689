-- How many rows workers have put into quarantine since the migration was planned. What a step itself puts there was foreseen.
SELECT count(DISTINCT detail)
FROM migration_transitions
JOIN migrations ON name = migration
WHERE migration = %(migration)s AND event = %(event)s AND happened_at >= planned_at
