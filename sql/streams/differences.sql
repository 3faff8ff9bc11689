-- How many rows only the table has, and how many only the stream, but for the changes that wait to be published.
WITH commits AS MATERIALIZED ({commits}),
images AS ({images}),
net AS (
    SELECT sum(copies) AS copies
    FROM images
    GROUP BY event_time, {columns}
    HAVING sum(copies) <> 0
)
SELECT
    coalesce(sum(copies) FILTER (WHERE copies > 0), 0)::bigint AS only_in_table,
    coalesce(-sum(copies) FILTER (WHERE copies < 0), 0)::bigint AS only_in_stream
FROM net
