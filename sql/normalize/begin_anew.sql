-- The watermark as it is before the first run in this cluster.
UPDATE watermarks
SET system_identifier = here.system_identifier,
    done = %(nothing)s::pg_snapshot,
    target = NULL,
    cursor_xid = NULL,
    cursor_seq = NULL,
    updated_at = now()
FROM pg_control_system() AS here
WHERE name = %(name)s;
