-- Those of the indexes that are not there, or not built to their end, in the order in which they are given.
SELECT name
FROM unnest(%(indexes)s::text[]) WITH ORDINALITY AS costly (name, place)
WHERE NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(name) AND indisvalid)
ORDER BY place
