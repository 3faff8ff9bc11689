-- Every namespace with its owner, by name.
SELECT name, current_owner_name AS owner FROM namespaces ORDER BY name COLLATE "C"
