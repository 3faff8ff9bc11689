-- Takes the lock by which others see that the session of a holder is there. It never waits: any login of the database may
-- hold any advisory lock.
SELECT pg_try_advisory_lock_shared(presence) FROM leases WHERE name = %(name)s AND epoch = %(epoch)s
