-- Every row that comes into lineage_events, into whichever partition, passes here; under ALWAYS, so that logical replication
-- does, too. Postgres calls them by name. Who may change rows afterwards is taken at his word for the times of a row.
CREATE OR REPLACE TRIGGER lineage_events_1_check BEFORE INSERT ON lineage_events FOR EACH ROW
WHEN (NOT has_table_privilege('lineage_events'::regclass, 'UPDATE'))
EXECUTE FUNCTION check_handed_in_event();

CREATE OR REPLACE TRIGGER lineage_events_2_describe BEFORE INSERT ON lineage_events FOR EACH ROW
EXECUTE FUNCTION describe_arrival();

ALTER TABLE lineage_events
ENABLE ALWAYS TRIGGER lineage_events_1_check,
ENABLE ALWAYS TRIGGER lineage_events_2_describe;
