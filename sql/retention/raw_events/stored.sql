-- Which of some raw events are stored: partition, and the digest of all that an archive has of each.
SELECT
    event.arrived_xid, event.arrival_seq, event.tableoid::regclass::text AS partition,
    hashint8extended(event.arrived_xid, event.arrival_seq) AS number_digest,
    sha256(
        convert_to(
            concat_ws(
                chr(10),
                microseconds(event.event_time), coalesce(microseconds(event.created_at)::text, '-'), event.is_ahead,
                event.arrived_xid, event.arrival_seq, event.event
            ),
            'UTF8'
        )
    ) AS digest
FROM unnest(%(arrived_xids)s::bigint[], %(arrival_seqs)s::bigint[], %(event_times)s::bigint[])
    AS archived (arrived_xid, arrival_seq, event_time)
JOIN lineage_events AS event
    ON event.arrived_xid = archived.arrived_xid
    AND event.arrival_seq = archived.arrival_seq
    AND event.event_time = instant(archived.event_time)
WHERE event.event_time >= instant(%(first)s) AND event.event_time < instant(%(last)s + 1)
