-- What keeps the server's log or deleted rows of the whole database for somebody who does not come, and numbers of transactions
-- that come to their end.
SELECT format(
    'The replication slot %s keeps %s of the server''s log, and nobody reads it', slot_name,
    pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))
)
FROM pg_replication_slots
WHERE NOT active AND pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > 10737418240
UNION ALL
SELECT format('The replication slot %s is %s', slot_name, wal_status)
FROM pg_replication_slots
WHERE wal_status IN ('unreserved', 'lost')
UNION ALL
SELECT format('The replication slot %s keeps rows that were deleted %s transactions ago', slot_name, behind)
FROM (SELECT slot_name, greatest(age(xmin), age(catalog_xmin)) AS behind FROM pg_replication_slots) AS slots
WHERE behind > 10000000
UNION ALL
SELECT format('The standby %s keeps rows that were deleted %s transactions ago', application_name, age(backend_xmin))
FROM pg_stat_replication
WHERE age(backend_xmin) > 10000000
UNION ALL
SELECT format('The oldest row of the database is %s transactions old, which vacuum should have frozen', age(datfrozenxid))
FROM pg_database
WHERE datname = current_database()
  AND age(datfrozenxid) > least(2 * current_setting('autovacuum_freeze_max_age')::bigint, 1500000000)
UNION ALL
SELECT format('The oldest lock of rows is %s multixacts old, which vacuum should have frozen', mxid_age(datminmxid))
FROM pg_database
WHERE datname = current_database()
  AND mxid_age(datminmxid) > least(2 * current_setting('autovacuum_multixact_freeze_max_age')::bigint, 1500000000)
