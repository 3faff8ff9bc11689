-- name: checks/default_partition
-- Of the spans of time with so many events in the default partition that these are to be moved: those whose events came more than
-- a day ago. Each normalization run moves some.
SELECT format('Raw events from %%s on have waited for more than a day to leave the default partition', begins)
FROM crowded_event_times(%(months_ahead)s)
WHERE EXISTS (
    SELECT FROM lineage_events
    WHERE event_time >= begins AND event_time < ends AND created_at < now() - interval '1 day'
)
ORDER BY begins

-- name: checks/event_partitions
-- This month or the next, if raw events of it have no partition.
SELECT format('Raw events of %s have no partition', to_char(month, 'YYYY-MM'))
FROM generate_series(
    date_trunc('month', now() AT TIME ZONE 'UTC'), date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month', '1 month'
) AS month
WHERE to_regclass('public.lineage_events_' || to_char(month, 'YYYY_MM')) IS NULL

-- name: checks/held_arrivals
-- Transactions that have written raw events, and that have been open for ten minutes: no one sees these events before they end.
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

-- name: checks/ingest_login
-- Whether the login may add raw events here.
SELECT to_regclass('public.lineage_events') IS NOT NULL AND has_any_column_privilege('public.lineage_events', 'INSERT') AS may_insert

-- name: checks/lost_events
-- Months of which the tables have events, and lineage_events has none, though retention has deleted none of them. Only the first
-- event of each month is looked for, by index. Events that lay ahead of their receipt are ordered elsewhere, and are left out.
WITH RECURSIVE months (month) AS (
    SELECT date_trunc('month', min(first.event_time), 'UTC')
    FROM (
        SELECT event_time FROM event_ledger WHERE event_order < '\x02'::bytea ORDER BY event_order LIMIT 1
    ) AS first
    UNION ALL
    SELECT (
        SELECT date_trunc('month', following.event_time, 'UTC')
        FROM event_ledger AS following
        WHERE following.event_order >= '\x01'::bytea
            || int8send(microseconds(months.month + interval '1 month') # (-9223372036854775808))
          AND following.event_order < '\x02'::bytea
        ORDER BY following.event_order
        LIMIT 1
    )
    FROM months
    WHERE months.month IS NOT NULL
)
SELECT format(
    'The tables have events of %s, and lineage_events has none of that month, though retention has deleted none',
    to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
)
FROM months
WHERE month IS NOT NULL
  AND NOT EXISTS (SELECT FROM lineage_events WHERE event_time >= month AND event_time < month + interval '1 month')
  AND NOT EXISTS (SELECT FROM archived_event_months AS archived WHERE archived.month = months.month)
ORDER BY month
