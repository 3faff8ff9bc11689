-- What this transaction sees, and the time.
SELECT pg_current_snapshot()::text AS seen, date_trunc('milliseconds', clock_timestamp()) AS at
