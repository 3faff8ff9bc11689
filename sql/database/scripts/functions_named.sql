-- The functions of a name in the first schema of the search path, as SQL names each of them.
SELECT oid::regprocedure::text
FROM pg_proc
WHERE proname = %(name)s AND pronamespace = current_schema()::regnamespace
