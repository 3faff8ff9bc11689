-- Images of rows as records have them, with how many of each came, or went.
SELECT commit_number, copies, {event_time} AS event_time, {columns}
FROM ({rows}) AS changed
