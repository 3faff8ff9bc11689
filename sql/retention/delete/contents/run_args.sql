-- Rows of run_args of a chunk, which nothing names.
DELETE FROM run_args AS stored
USING leaving_run_args AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
