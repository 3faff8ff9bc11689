-- Writes what is to be deleted; the number of the report.
INSERT INTO retention_reports (as_of, plan, archive, deleted)
VALUES (%(as_of)s, %(plan)s, %(archive)s, '{}')
RETURNING id
