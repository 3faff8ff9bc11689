-- A row that no merge has made, such as one of Marquez, is taken with the uuid that it has. That of an upgrade has the right one.
CREATE OR REPLACE TRIGGER namespaces_keep_uuid_in_use AFTER INSERT ON namespaces FOR EACH ROW
WHEN (new.first_event IS NULL AND new.uuid <> key_uuid('namespaces', new.name))
EXECUTE FUNCTION keep_uuid_in_use('name');
