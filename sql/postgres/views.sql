-- Those of some names in public that are views.
SELECT relname
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm') AND relname = ANY (%(names)s)
