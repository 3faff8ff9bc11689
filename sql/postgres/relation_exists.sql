-- Whether there is a table, a view or an index of a name.
SELECT to_regclass(%(name)s) IS NOT NULL
