-- A person knows of alerts of schema changes. One that is raised again later is open again. The clock moves on within a transaction,
-- so that an alert of the same moment is older.
UPDATE dataset_schema_alerts
SET acknowledged_at = clock_timestamp(), acknowledged_by = session_user, reason = %(reason)s
WHERE id = ANY (%(ids)s)
RETURNING id
