-- Events that came out of a dump with the numbers of transactions which have yet to come in this cluster. They arrive now.
-- Lower numbers stay: no snapshot taken from now on misses them.
UPDATE lineage_events
SET arrived_xid = pg_current_xact_id()::text::bigint, arrival_seq = nextval('lineage_events_arrival_seq')
WHERE arrived_xid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
