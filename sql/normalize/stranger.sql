-- What shows that the watermark comes from another cluster; no row if nothing does.
SELECT format('The watermark %%L was made in another cluster (system identifier %%s)', name, mark.system_identifier)
FROM watermarks AS mark, pg_control_system() AS here
WHERE name = %(name)s
  AND (mark.system_identifier <> here.system_identifier
       OR pg_snapshot_xmax(mark.done) > pg_snapshot_xmax(pg_current_snapshot()));
