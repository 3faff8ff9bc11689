-- Puts a policy in force, or ends one.
INSERT INTO retention_policies (kind, namespace_pattern, older_than, keep_last, is_removed)
VALUES (%(kind)s, %(namespace_pattern)s, %(older_than)s, %(keep_last)s, %(is_removed)s)
