-- Leases whose holder's session is there, but does not renew them any more, or has moved nothing for an hour.
WITH present AS (
    SELECT leases.name, leases.holder, leases.expires_at, session.backend_start AS since
    FROM leases
    JOIN pg_locks AS shown
        ON shown.locktype = 'advisory'
        AND shown.objsubid = 1
        AND shown.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (shown.classid::bigint << 32 | shown.objid::bigint) = leases.presence
    LEFT JOIN pg_stat_activity AS session ON session.pid = shown.pid
)
SELECT format(
    '%s has the lease %s, but does not renew it; it has expired at %s', holder, name,
    to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
)
FROM present
WHERE expires_at < now() - interval '5 minutes'
UNION ALL
SELECT format(
    '%s has had the lease %s for more than an hour, and has not moved the watermark since %s', holder, name,
    to_char(mark.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
)
FROM present
JOIN watermarks AS mark USING (name)
WHERE expires_at >= now() AND since < now() - interval '1 hour' AND mark.updated_at < now() - interval '1 hour'
