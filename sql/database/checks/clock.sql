-- What time it is on the server.
SELECT clock_timestamp()
