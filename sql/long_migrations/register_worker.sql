-- A new worker; its number.
INSERT INTO migration_workers (migration, host) VALUES (%(migration)s, %(host)s) RETURNING number
