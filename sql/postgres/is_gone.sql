-- Whether the session of a holder has ended, so that its lock is free. The lock is given back with the transaction.
SELECT pg_try_advisory_xact_lock(%(presence)s)
