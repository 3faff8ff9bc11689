-- Those of these names that are views.
SELECT relname::text
FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('v', 'm') AND relname = ANY(%(names)s)
