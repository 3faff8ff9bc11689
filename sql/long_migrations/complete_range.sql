-- A range is done, with all its rows.
UPDATE migration_ranges SET state = 'done', worker = NULL, done = rows WHERE id = %(id)s
