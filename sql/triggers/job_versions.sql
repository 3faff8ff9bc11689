-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER job_versions_keep_uuid_in_use AFTER INSERT ON job_versions FOR EACH ROW
WHEN (new.uuid <> new.version)
EXECUTE FUNCTION keep_uuid_in_use('version');
