-- Transactions that have written raw events, and that have been open for ten minutes: nobody sees these events before they end.
SELECT format(
    'A transaction of %s keeps raw events to itself since %s', who, to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
)
FROM (
    SELECT DISTINCT
        CASE
            WHEN prepared.gid IS NULL THEN coalesce(nullif(session.application_name, ''), session.usename, 'somebody')
            ELSE format('%s (prepared as %L)', prepared.owner, prepared.gid)
        END AS who,
        coalesce(prepared.prepared, session.xact_start) AS since
    FROM pg_locks AS held
    LEFT JOIN pg_stat_activity AS session ON session.pid = held.pid
    LEFT JOIN pg_locks AS own
        ON held.pid IS NULL
        AND own.pid IS NULL
        AND own.locktype = 'transactionid'
        AND own.virtualtransaction = held.virtualtransaction
    LEFT JOIN pg_prepared_xacts AS prepared ON prepared.transaction = own.transactionid
    WHERE held.locktype = 'relation'
      AND held.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND held.mode = 'RowExclusiveLock'
      AND held.granted
      AND held.relation IN (SELECT relid FROM pg_partition_tree('public.lineage_events'))
) AS writer
WHERE since < now() - interval '10 minutes'
ORDER BY since
