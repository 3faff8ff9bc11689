-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has.
CREATE OR REPLACE TRIGGER datasets_keep_uuid_in_use AFTER INSERT ON datasets FOR EACH ROW
WHEN (new.name_uuid IS NULL)
EXECUTE FUNCTION keep_uuid_in_use('namespace_name', 'name');
