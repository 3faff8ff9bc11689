-- Writes the new state of a migration.
UPDATE migrations SET state = %(state)s WHERE name = %(migration)s
