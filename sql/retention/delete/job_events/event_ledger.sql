-- Job events of a chunk that no job version needs.
DELETE FROM event_ledger AS stored
USING old_job_events AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.event_order = leaving.event_order
  AND EXISTS (SELECT FROM leaving_events AS event WHERE event.event_order = stored.event_order)
