-- How many raw events lie before their cut-off, and their bytes as they are stored, by what keeps them; null is nothing. Those from
-- ahead of the moment are named, too.
SELECT kept_by, count(*) AS rows, sum(pg_column_size(event)) AS bytes
FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
GROUP BY kept_by
UNION ALL
SELECT 'in the future', count(*), 0
FROM lineage_events
WHERE event_time >= %(as_of)s
  AND namespace_of_raw_event(_event_type, job_namespace, event) = ANY (%(namespaces)s::text[])
HAVING count(*) > 0
