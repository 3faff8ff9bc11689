-- Those of the orders of events that the ledger has.
SELECT event_order FROM event_ledger WHERE event_order = ANY (%(orders)b)
