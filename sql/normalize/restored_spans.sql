-- Times whose events were restored: legal holds of every namespace that are about a time.
SELECT microseconds(events_since) AS since, microseconds(events_until) AS until
FROM retention_holds_in_force
WHERE namespace_pattern = '*' AND events_since IS NOT NULL AND events_until IS NOT NULL
