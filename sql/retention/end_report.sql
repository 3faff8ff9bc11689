-- Writes that nothing is left to delete, and why some of what was planned has stayed.
UPDATE retention_reports SET stayed = %(stayed)s, finished_at = clock_timestamp() WHERE id = %(report)s
