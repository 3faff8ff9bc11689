-- What purged runs have left of events that were restored gives way to the events themselves.
-- again: An event of a purged run is restored.
-- reads: new_events
-- removes: dataset_mentions, event_ledger, parent_mentions
-- before: model/derive/parent_mentions
--
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
