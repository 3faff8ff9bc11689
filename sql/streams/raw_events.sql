-- Raw events that the snapshot of what is published does not see. Nothing else adds to the table, so it is the log of its changes.
SELECT arrived_xid AS commit_number, 1 AS copies, {columns}
FROM {table} AS arrived
WHERE arrived_xid >= pg_snapshot_xmin(%(published)s::pg_snapshot)::text::bigint
  AND arrived_xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  AND pg_visible_in_snapshot(arrived_xid::text::xid8, pg_current_snapshot())
  AND NOT pg_visible_in_snapshot(arrived_xid::text::xid8, %(published)s::pg_snapshot)
