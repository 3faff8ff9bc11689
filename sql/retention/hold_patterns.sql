-- The namespaces that each legal hold in force is about.
SELECT id, namespace_pattern FROM retention_holds_in_force ORDER BY id
