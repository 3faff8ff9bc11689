-- Gives a lease to its next holder.
UPDATE leases
SET epoch = %(epoch)s,
    holder = %(holder)s,
    presence = %(presence)s,
    expires_at = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE name = %(name)s
