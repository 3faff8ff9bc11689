-- What the records that are published say is there, to be taken away from what is.
SELECT 0::bigint AS commit_number, CASE WHEN op IN (0, 3) THEN -1 ELSE 1 END AS copies, event_time, {columns}
FROM published_records
