-- The records of a stream: for each transaction the net change of each row, in the order of the transactions. Where a row of a key
-- came and another went, the one corrects the other.
WITH commits AS MATERIALIZED ({commits}),
images AS ({images}),
net AS (
    SELECT commit_number, event_time, {columns}, sum(copies)::integer AS copies
    FROM images
    GROUP BY commit_number, event_time, {columns}
    HAVING {is_changed}
),
records AS (
    SELECT net.*, {operation} AS op
    FROM net
    CROSS JOIN LATERAL generate_series(1, abs(copies))
)
SELECT commit_number, op, event_time, {columns}
FROM records
ORDER BY commit_number, {place}
