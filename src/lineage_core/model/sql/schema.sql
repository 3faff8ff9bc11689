-- name: types/dataset_name
-- A dataset's namespace and name as one value: Marquez' queries compare such pairs with those of datasets_view.
CREATE TYPE dataset_name AS (namespace varchar(255), name varchar(255));

-- name: triggers/dataset_fields
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER dataset_fields_keep_uuid_in_use AFTER INSERT ON dataset_fields FOR EACH ROW
WHEN (new.first_event IS NULL)
EXECUTE FUNCTION keep_uuid_in_use('dataset_uuid', 'name', 'type');

-- name: triggers/dataset_versions
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER dataset_versions_keep_uuid_in_use AFTER INSERT ON dataset_versions FOR EACH ROW
WHEN (new.uuid <> new.version)
EXECUTE FUNCTION keep_uuid_in_use('version');

-- name: triggers/datasets
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER datasets_keep_uuid_in_use AFTER INSERT ON datasets FOR EACH ROW
WHEN (new.name_uuid IS NULL)
EXECUTE FUNCTION keep_uuid_in_use('namespace_name', 'name');

-- name: triggers/job_versions
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER job_versions_keep_uuid_in_use AFTER INSERT ON job_versions FOR EACH ROW
WHEN (new.uuid <> new.version)
EXECUTE FUNCTION keep_uuid_in_use('version');

-- name: triggers/jobs
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER jobs_keep_uuid_in_use AFTER INSERT ON jobs FOR EACH ROW
WHEN (new.first_event IS NULL)
EXECUTE FUNCTION keep_uuid_in_use('namespace_name', 'name');

-- name: triggers/lineage_events
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

-- name: triggers/namespaces
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has. That of an upgrade has the right one.
CREATE OR REPLACE TRIGGER namespaces_keep_uuid_in_use AFTER INSERT ON namespaces FOR EACH ROW
WHEN (new.first_event IS NULL AND new.uuid <> key_uuid('namespaces', new.name))
EXECUTE FUNCTION keep_uuid_in_use('name');

-- name: triggers/run_args
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER run_args_keep_uuid_in_use AFTER INSERT ON run_args FOR EACH ROW
WHEN (new.first_event IS NULL)
EXECUTE FUNCTION keep_uuid_in_use('checksum');

-- name: triggers/sources
-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER sources_keep_uuid_in_use AFTER INSERT ON sources FOR EACH ROW
WHEN (new.first_event IS NULL)
EXECUTE FUNCTION keep_uuid_in_use('name');

-- name: functions/refuse_changes
-- Refuses to change or remove a row of a table that only grows, whoever asks.
CREATE OR REPLACE FUNCTION refuse_changes() RETURNS trigger
LANGUAGE plpgsql
SET search_path = public, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION '% only grows: its rows are the history of who has stated what', tg_table_name
        USING ERRCODE = 'object_not_in_prerequisite_state';
END
$$;

-- name: functions/refuse_writing
-- Refuses to write into a view whose rows follow from what events say.
CREATE OR REPLACE FUNCTION refuse_writing() RETURNS trigger
LANGUAGE plpgsql
SET search_path = public, pg_temp
AS $$
BEGIN
    RAISE EXCEPTION '% is a view: its rows follow from events, so it cannot be written', tg_table_name
        USING ERRCODE = 'object_not_in_prerequisite_state',
            HINT = 'Hand in an event that says it, by "lineage ingest" or the transport.';
END
$$;

-- name: access/functions
-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION public.renumber_foreign_events, public.capture_changes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.renumber_foreign_events TO lineage_jobs;
