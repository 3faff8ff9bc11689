-- Images with the opposite sign, as of one transaction.
SELECT 0::bigint AS commit_number, -copies AS copies, event_time, {columns}
FROM ({images}) AS images
