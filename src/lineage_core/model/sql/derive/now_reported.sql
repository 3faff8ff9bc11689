-- What was known of the slice's runs from their children only is taken from them: nothing of it could outlast their own words.
-- again: A run reports itself for the first time.
-- reads: staging.runs
-- writes: runs
-- before: model/merge/runs
--
-- The merge then finds nothing of it that could outlast the events' own words (see made_parents.sql). Comes before model/merge/runs:
-- it needs the runs as they were before the slice.

-- runs_before: the slice's runs that are known already, and whose job they were.
CREATE TEMP TABLE runs_before ON COMMIT DROP AS
SELECT runs.uuid, runs.job_uuid, runs.first_event IS NULL AS is_made
FROM (SELECT DISTINCT uuid FROM {staging}.runs WHERE part_id = ANY (%(parts)s)) AS staged
JOIN runs USING (uuid);

UPDATE runs
SET nominal_start_time = NULL,
    nominal_end_time = NULL,
    current_run_state = NULL,
    transitioned_at = NULL,
    start_run_state_uuid = NULL,
    started_at = NULL,
    end_run_state_uuid = NULL,
    ended_at = NULL
FROM runs_before
WHERE runs.uuid = runs_before.uuid AND runs_before.is_made;
