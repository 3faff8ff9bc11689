-- A range ends where it stands, as others have the rest of it.
UPDATE migration_ranges SET state = 'done', worker = NULL, rows = done WHERE id = %(id)s
