-- Events of an interval of event time, and of some job namespaces if any are named, behind a place, in order of time.
SELECT microseconds(event_time) AS first, arrival_seq AS second, event_bytes AS size
FROM lineage_events
WHERE event_time >= instant(%(since)s)
  AND event_time < instant(%(until)s)
  AND (event_time, arrival_seq) > (instant(%(after_first)s), %(after_second)s)
  AND (cardinality(%(namespaces)s::text[]) = 0 OR job_namespace = ANY (%(namespaces)s::text[]))
ORDER BY event_time, arrival_seq
