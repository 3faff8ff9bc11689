-- Removes what an earlier plan of a migration left in a table.
DELETE FROM {table} WHERE migration = %(migration)s
