-- How many raw events lie before their cut-off, and their bytes, by what keeps them; null is nothing.
SELECT kept_by, count(*) AS rows, sum(event_bytes) AS bytes
FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
GROUP BY kept_by
