-- Whether the login owns a table, a view or an index, or is a member of the role that does; no row if it is not there.
SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(%(name)s)
