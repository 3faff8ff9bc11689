-- The head of a stream that was started, or is to begin anew: with another start, in another cluster, or with another schema. A
-- transaction that may not have seen the start has a number below `waits_for`, or a snapshot of before it.
INSERT INTO stream_heads AS head (stream, started_xid, waits_for, system_identifier, schema_id, epoch)
SELECT
    %(stream)s,
    %(started_xid)s,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
    here.system_identifier,
    latest.schema_id,
    %(epoch)s
FROM pg_control_system() AS here
CROSS JOIN (SELECT max(schema_id) AS schema_id FROM stream_schemas WHERE stream = %(stream)s) AS latest
ON CONFLICT (stream) DO UPDATE
SET started_xid = excluded.started_xid,
    waits_for = excluded.waits_for,
    published = NULL,
    system_identifier = excluded.system_identifier,
    schema_id = excluded.schema_id,
    epoch = excluded.epoch,
    updated_at = now()
WHERE (head.started_xid, head.system_identifier, head.schema_id)
    IS DISTINCT FROM (excluded.started_xid, excluded.system_identifier, excluded.schema_id)
