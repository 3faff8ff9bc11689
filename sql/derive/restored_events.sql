-- What a purged run has left of events that come again gives way to the events themselves: they were restored.
DELETE FROM dataset_mentions AS stored
USING new_events
WHERE stored.event_order = new_events.event_order AND stored.is_purged;

DELETE FROM parent_mentions AS stored
USING new_events
WHERE stored.event_order = new_events.event_order AND stored.is_purged;

DELETE FROM event_ledger AS stored
USING new_events
WHERE stored.event_order = new_events.event_order AND stored.is_purged;
