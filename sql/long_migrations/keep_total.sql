-- Writes how many rows a migration looks at.
UPDATE migrations SET total = %(total)s WHERE name = %(migration)s
