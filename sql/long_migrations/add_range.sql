-- A range of keys that nobody has begun.
INSERT INTO migration_ranges (migration, after_key, until_key, rows)
VALUES (%(migration)s, %(after)s, %(until)s, %(rows)s)
