-- Lets a lease expire so many seconds from now, if it has not gone to another.
UPDATE leases
SET expires_at = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE name = %(name)s AND epoch = %(epoch)s
