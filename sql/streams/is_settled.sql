-- Whether every transaction has ended that may have missed the start of a stream: those with a number, and those that only have a
-- snapshot yet.
SELECT
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= %(waits_for)s
    AND NOT EXISTS (
        SELECT
        FROM pg_stat_activity
        WHERE pid <> pg_backend_pid()
          AND datname = current_database()
          AND backend_xmin IS NOT NULL
          AND age(backend_xmin) > age((%(waits_for)s)::text::xid8::xid)
    )
