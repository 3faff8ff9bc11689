-- The watermark, with a target: that of a run that was interrupted, else what is committed now.
INSERT INTO watermarks AS mark (name, system_identifier, done, target, partitions)
SELECT %(name)s, system_identifier, %(nothing)s::pg_snapshot, pg_current_snapshot(), event_partitions()
FROM pg_control_system()
ON CONFLICT (name) DO UPDATE SET target = coalesce(mark.target, excluded.target)
RETURNING
    done::text,
    target::text,
    cursor_xid AS xid,
    cursor_seq AS seq,
    target::text <> pg_current_snapshot()::text AS is_resumed;
