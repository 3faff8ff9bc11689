-- What the server shows of its health. Without the role pg_monitor some of it is null.
SELECT
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') END::double precision AS wal,
    clock_timestamp() AS looked_at,
    (
        -- A segment's name is its timeline and its number, in two halves of which the second counts up to 4 GiB. If none was
        -- archived since a crash, which forgets the count, the oldest that waits is the one that failed.
        SELECT greatest(written.number - (archived.number - (last_archived_wal IS NULL)::integer), 0)
        FROM (SELECT *, coalesce(last_archived_wal, last_failed_wal) AS last_wal FROM pg_stat_archiver) AS archiver
        CROSS JOIN LATERAL (
            SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 9, 8))::bit(32)::bigint
                * (4294967296 / pg_size_bytes(current_setting('wal_segment_size')))
                + ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 17, 8))::bit(32)::bigint - 1 AS number
        ) AS written
        CROSS JOIN LATERAL (
            SELECT ('x' || substr(last_wal, 9, 8))::bit(32)::bigint
                * (4294967296 / pg_size_bytes(current_setting('wal_segment_size')))
                + ('x' || substr(last_wal, 17, 8))::bit(32)::bigint AS number
        ) AS archived
        WHERE current_setting('archive_mode') <> 'off' AND last_wal COLLATE "C" ~ '^[0-9A-F]{24}$'
    )::bigint AS archive_queue,
    (SELECT max(extract(epoch FROM replay_lag))::double precision FROM pg_stat_replication) AS replication_lag_seconds,
    ARRAY(
        -- A vacuum, an analyze and the making of an index all take this lock, and everybody sees it.
        SELECT pg_class.relname::text
        FROM pg_locks
        JOIN pg_class ON pg_class.oid = pg_locks.relation
        WHERE mode = 'ShareUpdateExclusiveLock'
          AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND pg_class.oid = ANY (%(tables)s::regclass[])
        ORDER BY 1
    ) AS vacuumed,
    (
        SELECT extract(epoch FROM clock_timestamp() - min(xact_start))::double precision
        FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND datname = current_database()
    ) AS transaction_seconds,
    (
        -- Without that role the others' states are null, and none would be counted.
        SELECT CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN count(*) END
        FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND state = 'active' AND pid <> pg_backend_pid()
          AND application_name <> 'lineage migration' AND datname = current_database()
    ) AS active_sessions;
