-- Sets many settings at once, on one backend or on any. The first statement takes no time, and lets the second take some.
SET LOCAL statement_timeout = 0;
SELECT
    pg_catalog.set_config(name, value, %(is_local)s) AS value,
    pg_catalog.current_setting('session_replication_role') AS replication_role
FROM ROWS FROM (pg_catalog.unnest(%(names)s::text[]), pg_catalog.unnest(%(values)s::text[])) AS wanted (name, value)
WHERE pg_catalog.current_setting(name, true) IS NOT NULL
  AND (%(backend)s::integer IS NULL OR pg_catalog.pg_backend_pid() = %(backend)s::integer)
