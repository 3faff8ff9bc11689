-- Why some of the raw events that were planned to go are still there.
SELECT coalesce(kept_by, 'in the store again') AS reason, count(*) AS rows
FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
WHERE is_planned(%(plan)s, arrival_seq)
GROUP BY 1
