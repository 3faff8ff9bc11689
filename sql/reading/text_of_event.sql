-- The text of one raw event.
SELECT convert_to(event::text, 'UTF8')
FROM lineage_events
WHERE (arrived_xid, arrival_seq) = (%(xid)s, %(seq)s)
