-- Who has a lease, and whether it has expired; no row while its holder merges.
SELECT epoch, presence, coalesce(expires_at < clock_timestamp(), true) AS has_expired
FROM leases
WHERE name = %(name)s
FOR UPDATE SKIP LOCKED
