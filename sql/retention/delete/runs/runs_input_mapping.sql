-- What the runs of a chunk have read.
DELETE FROM runs_input_mapping AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid
