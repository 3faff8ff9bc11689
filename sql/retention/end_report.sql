-- Writes that nothing is left to delete.
UPDATE retention_reports SET deleted = %(deleted)s, finished_at = clock_timestamp() WHERE id = %(report)s
