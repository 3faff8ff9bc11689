-- What shows that the watermark, or the raw events, come from another cluster; no row if nothing does.
SELECT format('The watermark %%L was made in another cluster (system identifier %%s)', name, mark.system_identifier)
FROM watermarks AS mark, pg_control_system() AS here
WHERE name = %(name)s
  AND (mark.system_identifier <> here.system_identifier
       OR pg_snapshot_xmax(mark.done) > pg_snapshot_xmax(pg_current_snapshot()))
UNION ALL
(
    SELECT format('An event bears the transaction number %%s, which has yet to come in this cluster', arrived_xid)
    FROM lineage_events
    WHERE arrived_xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
    ORDER BY arrived_xid
    LIMIT 1
)
LIMIT 1;
