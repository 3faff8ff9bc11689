-- Ends the holds of a migration, but for those by the signals that are kept; gives the signals of those that ended.
UPDATE migration_holds
SET ended_at = clock_timestamp()
WHERE migration = %(migration)s AND ended_at IS NULL AND NOT signal = ANY (%(kept)s)
RETURNING signal
