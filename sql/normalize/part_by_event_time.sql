-- Text and verdict of the events of one part, by the same choice as waiting_by_event_time.sql.
SELECT convert_to(event::text, 'UTF8'), is_ahead
FROM lineage_events
WHERE event_time >= instant(%(since)s)
  AND event_time < instant(%(until)s)
  AND (event_time, arrival_seq) > (instant(%(after_first)s), %(after_second)s)
  AND (event_time, arrival_seq) <= (instant(%(until_first)s), %(until_second)s)
  AND (cardinality(%(namespaces)s::text[]) = 0 OR job_namespace = ANY (%(namespaces)s::text[]))
