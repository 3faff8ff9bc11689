-- name: events
-- The texts of some events by their places in the order of arrival, and in it.
SELECT asked.arrived_xid AS first, asked.arrival_seq AS second, raw.event::text AS event
FROM unnest(%(firsts)s::bigint[], %(seconds)s::bigint[]) WITH ORDINALITY AS asked (arrived_xid, arrival_seq, number)
JOIN lineage_events AS raw USING (arrived_xid, arrival_seq)
ORDER BY asked.number

-- name: begin_again
-- Forgets how far events were sent on.
DELETE FROM watermarks WHERE name = %(name)s
