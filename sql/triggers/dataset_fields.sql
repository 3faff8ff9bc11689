-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER dataset_fields_keep_uuid_in_use AFTER INSERT ON dataset_fields FOR EACH ROW
WHEN (new.first_event IS NULL)
EXECUTE FUNCTION keep_uuid_in_use('dataset_uuid', 'name', 'type');
