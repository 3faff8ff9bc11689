-- States of the runs of a chunk.
DELETE FROM run_states AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid
