-- The policies in force, in the order in which they count.
SELECT kind, namespace_pattern, older_than, keep_last FROM retention_policies_in_force
