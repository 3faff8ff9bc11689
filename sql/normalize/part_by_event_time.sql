-- Text and verdict of the events of one part, by the same choice as waiting_by_event_time.sql.
SELECT convert_to(event::text, 'UTF8'), is_ahead
FROM lineage_events
WHERE event_time >= %(from)s
  AND event_time < %(to)s
  AND (event_time, arrival_seq) > (timestamptz 'epoch' + %(after_first)s * interval '1 microsecond', %(after_second)s)
  AND (event_time, arrival_seq) <= (timestamptz 'epoch' + %(until_first)s * interval '1 microsecond', %(until_second)s)
  AND (cardinality(%(namespaces)s::text[]) = 0 OR job_namespace = ANY (%(namespaces)s::text[]))
