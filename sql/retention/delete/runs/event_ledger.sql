-- Events of the runs of a chunk that no job version needs.
DELETE FROM event_ledger AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.run_uuid = leaving.uuid
  AND EXISTS (SELECT FROM leaving_events AS event WHERE event.event_order = stored.event_order)
