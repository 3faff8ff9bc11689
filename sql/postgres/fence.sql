-- The epoch of a lease, which nobody can take until the transaction ends. The lock lets the renewals of its holder through.
SELECT epoch, pg_backend_pid() AS backend FROM leases WHERE name = %(name)s FOR KEY SHARE
