-- Transactions that have been open for more than an hour, prepared ones too.
SELECT format('A transaction of %s has been open since %s', who, to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
FROM (
    SELECT coalesce(nullif(application_name, ''), usename, 'somebody') AS who, xact_start AS since
    FROM pg_stat_activity
    WHERE datname = current_database()
    UNION ALL
    SELECT format('%s (prepared as %L)', owner, gid), prepared
    FROM pg_prepared_xacts
    WHERE database = current_database()
) AS open
WHERE since < now() - interval '1 hour'
ORDER BY since
