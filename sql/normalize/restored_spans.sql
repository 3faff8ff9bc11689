-- Times whose events were restored: legal holds of every namespace that are about a time. One without an end reaches to the last.
SELECT microseconds(events_since) AS since, coalesce(microseconds(events_until), 9223372036854775807) AS until
FROM retention_holds_in_force
WHERE namespace_pattern = '*' AND events_since IS NOT NULL
