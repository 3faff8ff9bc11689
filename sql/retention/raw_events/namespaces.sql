-- The namespaces of raw events.
SELECT DISTINCT namespace_of_raw_event(_event_type, job_namespace, event) AS namespace
FROM lineage_events
