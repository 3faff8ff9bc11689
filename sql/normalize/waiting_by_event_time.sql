-- Events of an interval of event time, and of some job namespaces if any are named, behind a place, in order of time.
SELECT (extract(epoch FROM event_time) * 1000000)::bigint, arrival_seq, event_bytes
FROM lineage_events
WHERE event_time >= %(from)s
  AND event_time < %(to)s
  AND (event_time, arrival_seq) > (timestamptz 'epoch' + %(after_first)s * interval '1 microsecond', %(after_second)s)
  AND (cardinality(%(namespaces)s::text[]) = 0 OR job_namespace = ANY (%(namespaces)s::text[]))
ORDER BY event_time, arrival_seq
