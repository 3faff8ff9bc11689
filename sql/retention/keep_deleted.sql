-- Writes what has been deleted so far.
UPDATE retention_reports SET deleted = %(deleted)s WHERE id = %(report)s
