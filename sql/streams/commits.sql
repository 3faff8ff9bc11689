-- The transactions that the snapshot of what is published does not see, in an order in which they may have committed: of two that
-- changed the same row, the second ended a statement when the first was over.
SELECT change_xid AS xid, max(change_number) AS number
FROM ({changes}) AS changed
WHERE NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)
GROUP BY change_xid
