-- Who has a lease.
SELECT holder FROM leases WHERE name = %(name)s
