-- Those of the orders of events that the ledger has, and whose runs were not deleted since.
SELECT event_order FROM event_ledger WHERE event_order = ANY (%(orders)b) AND NOT is_purged
