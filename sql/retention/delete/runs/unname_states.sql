-- The runs of a chunk name no states any more, so that these go first.
UPDATE runs AS stored
SET start_run_state_uuid = NULL, end_run_state_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
