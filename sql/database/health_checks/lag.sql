-- Events that have waited for more than half an hour; the schedule takes them every ten minutes.
SELECT format('Events have waited since %s', to_char(min(stored.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
FROM (SELECT arrived_xid, arrival_seq FROM waiting_events LIMIT 10000) AS waiting
JOIN lineage_events AS stored USING (arrived_xid, arrival_seq)
HAVING min(stored.created_at) < now() - interval '30 minutes'
