-- The events of a chunk that nothing needs any more, of what was deleted before.
DELETE FROM event_ledger AS stored
USING leaving_events AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.event_order = leaving.event_order
