-- The key in the middle of what is left of a range, with its place.
SELECT key, place
FROM (
    SELECT {key}::text AS key, row_number() OVER (ORDER BY {key}) AS place, count(*) OVER () AS number
    FROM (
        SELECT DISTINCT {key}
        FROM {table}
        WHERE (%(after)s::{kind} IS NULL OR {key} > %(after)s::{kind}) AND {key} <= %(until)s::{kind}
    ) AS keys
) AS numbered
WHERE place = (number + 1) / 2
