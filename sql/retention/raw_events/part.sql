-- The raw events of one part of an event archive that nothing keeps, in order: the text, and what arrival has said.
SELECT
    convert_to(event::text, 'UTF8'),
    jsonb_build_object(
        'event_time', microseconds(event_time), 'event_type', event_type, 'job_name', job_name, 'job_namespace', job_namespace,
        'producer', producer, 'run_uuid', run_uuid, 'created_at', microseconds(created_at), '_event_type', _event_type,
        'event_bytes', event_bytes, 'is_ahead', is_ahead, 'arrived_xid', arrived_xid, 'arrival_seq', arrival_seq,
        'is_moved', is_moved
    )::text
FROM (
    SELECT *
    FROM judged_raw_events(
        %(namespaces)s::text[], %(befores)s::timestamptz[], instant(%(since)s), instant(%(until)s + 1)
    )
    WHERE kept_by IS NULL
      AND is_planned(%(plan)s, arrival_seq)
      AND (event_time, arrived_xid, arrival_seq) >= (instant(%(since)s), %(since_xid)s, %(since_seq)s)
      AND (event_time, arrived_xid, arrival_seq) < (instant(%(until)s), %(until_xid)s, %(until_seq)s)
    ORDER BY event_time, arrived_xid, arrival_seq
) AS archived
