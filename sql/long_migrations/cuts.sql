-- The key of each so many-th row, and of the last one, with its place. Reads nothing but the index of the key.
SELECT key, place
FROM (SELECT {key}::text AS key, row_number() OVER (ORDER BY {key}) AS place FROM {table}) AS numbered
WHERE place %% %(size)s = 0 OR place = (SELECT count(*) FROM {table})
ORDER BY place
