-- Jobs and runs that do not report, by what their children say of them, and whose child each job is.
-- again: An event names a parent, or a parent reports for the first time or as another job.
-- reads: jobs_tag_mapping, parent_mentions, run_args, settled_parents
-- writes: jobs, run_states, runs
-- removes: jobs, run_states, runs, runs_input_mapping
-- before: model/derive/job_tags, model/derive/runs_input_mapping
--
-- What follows from their children: parent_mentions.sql. They have no order columns. What reports itself is left as it is. The
-- job of a child may be gone by a policy of retention: a made job is known by then, and has its namespace. Comes before
-- job_tags: a made job that people have tagged stays; no tag of a facet is on one.

-- made_jobs: the first and the last event that says something of a made job; both null if none does any more.
CREATE TEMP TABLE made_jobs ON COMMIT DROP AS
SELECT
    touched.job_uuid,
    first_mention.event_time AS created_at,
    first_mention.parent_job_name AS name,
    first_mention.job_uuid AS child_job_uuid,
    last_mention.event_time AS updated_at,
    last_mention.is_streaming,
    last_mention.location,
    last_mention.made_run_uuid
FROM (
    SELECT DISTINCT local_job_uuid AS job_uuid
    FROM settled_parents
    WHERE made_run_uuid IS NOT NULL OR old_run_uuid IS NOT NULL
) AS touched
LEFT JOIN LATERAL (
    SELECT event_time, parent_job_name, job_uuid
    FROM parent_mentions
    WHERE local_job_uuid = touched.job_uuid AND made_run_uuid IS NOT NULL
    ORDER BY event_order
    LIMIT 1
) AS first_mention ON true
LEFT JOIN LATERAL (
    SELECT event_time, is_streaming, location, made_run_uuid
    FROM (
        (
            SELECT event_order, event_time, is_streaming, location, made_run_uuid
            FROM parent_mentions
            WHERE local_job_uuid = touched.job_uuid AND made_run_uuid IS NOT NULL AND NOT is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT event_order, event_time, is_streaming, location, made_run_uuid
            FROM parent_mentions
            WHERE local_job_uuid = touched.job_uuid AND made_run_uuid IS NOT NULL AND is_ahead(event_order)
            ORDER BY event_order DESC
            LIMIT 1
        )
    ) AS last_in_time_and_last_ahead
    ORDER BY event_order
    LIMIT 1
) AS last_mention ON true
WHERE NOT EXISTS (SELECT FROM jobs WHERE jobs.uuid = touched.job_uuid AND jobs.latest_event IS NOT NULL);

ANALYZE made_jobs;

INSERT INTO jobs AS stored (
    uuid, type, created_at, updated_at, namespace_uuid, simple_name, namespace_name, current_location, current_inputs,
    parent_job_uuid_string, name, current_run_uuid
)
SELECT
    made.job_uuid,
    CASE WHEN made.is_streaming THEN 'STREAM' ELSE 'BATCH' END,
    made.created_at,
    made.updated_at,
    child.namespace_uuid,
    made.name,
    child.namespace_name,
    made.location,
    '[]',
    '',
    made.name,
    made.made_run_uuid
FROM made_jobs AS made
LEFT JOIN jobs AS child ON child.uuid = made.child_job_uuid
WHERE made.child_job_uuid IS NOT NULL
ORDER BY made.job_uuid
ON CONFLICT (uuid) DO UPDATE SET
    type = excluded.type,
    created_at = excluded.created_at,
    updated_at = excluded.updated_at,
    simple_name = excluded.simple_name,
    current_location = excluded.current_location,
    current_inputs = excluded.current_inputs,
    current_run_uuid = excluded.current_run_uuid
WHERE (
        stored.type, stored.created_at, stored.updated_at, stored.simple_name, stored.current_location, stored.current_inputs,
        stored.current_run_uuid
    ) IS DISTINCT FROM (
        excluded.type, excluded.created_at, excluded.updated_at, excluded.simple_name, excluded.current_location,
        excluded.current_inputs, excluded.current_run_uuid
    );

-- The job's first event with a parent says whose child it is.
UPDATE jobs
SET parent_job_uuid = settled.parent_job_uuid
FROM settled_parents AS settled
WHERE jobs.uuid = settled.job_uuid
  AND jobs.parent_event = order_with_parent(settled.event_order)
  AND jobs.parent_job_uuid IS DISTINCT FROM settled.parent_job_uuid;

DELETE FROM jobs AS stored
USING made_jobs AS made
WHERE stored.uuid = made.job_uuid
  AND made.child_job_uuid IS NULL
  AND NOT EXISTS (SELECT FROM jobs_tag_mapping AS tagged WHERE tagged.job_uuid = stored.uuid)
  AND NOT EXISTS (SELECT FROM jobs AS replaced WHERE replaced.symlink_target_uuid = stored.uuid);

-- made_runs: runs of which something is stated, or no more.
CREATE TEMP TABLE made_runs ON COMMIT DROP AS
SELECT touched.run_uuid
FROM (
    SELECT made_run_uuid AS run_uuid FROM settled_parents
    UNION
    SELECT old_run_uuid FROM settled_parents
) AS touched
WHERE touched.run_uuid IS NOT NULL
  AND NOT EXISTS (SELECT FROM runs WHERE runs.uuid = touched.run_uuid AND runs.first_event IS NOT NULL);

ANALYZE made_runs;

-- run_reports: the first and the last of the events that say the same kind of thing of a run.
CREATE TEMP TABLE run_reports ON COMMIT DROP AS
SELECT
    made.run_uuid,
    kind.is_running,
    kind.is_ending,
    kind.is_ahead,
    stated.is_first,
    mention.event_order,
    mention.event_time,
    mention.job_uuid AS child_job_uuid,
    mention.local_job_uuid,
    mention.parent_job_name,
    mention.external_id,
    mention.location,
    mention.state,
    mention.state_uuid,
    mention.nominal_start_time,
    mention.nominal_end_time
FROM made_runs AS made
CROSS JOIN state_mentions() AS kind
CROSS JOIN (VALUES (true), (false)) AS stated (is_first)
CROSS JOIN LATERAL (
    (
        SELECT *
        FROM parent_mentions
        WHERE stated.is_first AND made_run_uuid = made.run_uuid AND says = kind.says
        ORDER BY event_order
        LIMIT 1
    )
    UNION ALL
    (
        SELECT *
        FROM parent_mentions
        WHERE NOT stated.is_first AND made_run_uuid = made.run_uuid AND says = kind.says
        ORDER BY event_order DESC
        LIMIT 1
    )
) AS mention;

ANALYZE run_reports;

WITH firsts AS (
    SELECT DISTINCT ON (run_uuid) * FROM run_reports WHERE is_first ORDER BY run_uuid, event_order
),
lasts AS (
    SELECT DISTINCT ON (run_uuid) * FROM run_reports WHERE NOT is_first ORDER BY run_uuid, is_ahead, event_order DESC
),
states AS (
    SELECT DISTINCT ON (run_uuid) *
    FROM run_reports
    WHERE NOT is_first AND state IS NOT NULL
    ORDER BY run_uuid, is_ending DESC, is_ahead, event_order DESC
),
starts AS (
    SELECT DISTINCT ON (run_uuid) * FROM run_reports WHERE is_first AND is_running ORDER BY run_uuid, event_order
),
ends AS (
    SELECT DISTINCT ON (run_uuid) *
    FROM run_reports
    WHERE NOT is_first AND is_ending
    ORDER BY run_uuid, is_ahead, event_order DESC
)
INSERT INTO runs AS stored (
    uuid, created_at, updated_at, run_args_uuid, nominal_start_time, nominal_end_time, current_run_state,
    start_run_state_uuid, end_run_state_uuid, external_id, namespace_name, job_name, location, transitioned_at, started_at,
    ended_at, job_uuid
)
SELECT
    firsts.run_uuid,
    firsts.event_time,
    lasts.event_time,
    run_args.uuid,
    firsts.nominal_start_time,
    firsts.nominal_end_time,
    states.state,
    starts.state_uuid,
    ends.state_uuid,
    lasts.external_id,
    coalesce(child.namespace_name, made.namespace_name),
    firsts.parent_job_name,
    lasts.location,
    states.event_time AT TIME ZONE 'UTC',
    starts.event_time AT TIME ZONE 'UTC',
    ends.event_time AT TIME ZONE 'UTC',
    firsts.local_job_uuid
FROM firsts
JOIN lasts USING (run_uuid)
LEFT JOIN states USING (run_uuid)
LEFT JOIN starts USING (run_uuid)
LEFT JOIN ends USING (run_uuid)
LEFT JOIN jobs AS child ON child.uuid = firsts.child_job_uuid
LEFT JOIN jobs AS made ON made.uuid = firsts.local_job_uuid
JOIN run_args ON run_args.checksum = encode(sha256(''), 'hex')
ORDER BY firsts.run_uuid
ON CONFLICT (uuid) DO UPDATE SET
    created_at = excluded.created_at,
    updated_at = excluded.updated_at,
    run_args_uuid = excluded.run_args_uuid,
    nominal_start_time = excluded.nominal_start_time,
    nominal_end_time = excluded.nominal_end_time,
    current_run_state = excluded.current_run_state,
    start_run_state_uuid = excluded.start_run_state_uuid,
    end_run_state_uuid = excluded.end_run_state_uuid,
    external_id = excluded.external_id,
    namespace_name = excluded.namespace_name,
    job_name = excluded.job_name,
    location = excluded.location,
    transitioned_at = excluded.transitioned_at,
    started_at = excluded.started_at,
    ended_at = excluded.ended_at,
    job_uuid = excluded.job_uuid;

-- Of which nothing is stated any more. What somebody else has made of such a run goes with it.
DELETE FROM made_runs AS made
USING parent_mentions AS mention
WHERE mention.made_run_uuid = made.run_uuid;

DELETE FROM run_states AS stored
USING made_runs AS made
WHERE stored.run_uuid = made.run_uuid;

DELETE FROM runs_input_mapping AS stored
USING made_runs AS made
WHERE stored.run_uuid = made.run_uuid;

DELETE FROM runs AS stored
USING made_runs AS made
WHERE stored.uuid = made.run_uuid;

-- Such a run takes each state that an event says of it.
INSERT INTO run_states AS stored (uuid, transitioned_at, run_uuid, state)
SELECT state_uuid, event_time, made_run_uuid, state
FROM settled_parents
WHERE made_run_uuid IS NOT NULL AND state_uuid IS NOT NULL
ORDER BY state_uuid
ON CONFLICT (uuid) DO UPDATE SET run_uuid = excluded.run_uuid
WHERE stored.run_uuid <> excluded.run_uuid;

DELETE FROM run_states AS stored
USING settled_parents AS settled
WHERE stored.uuid = settled.state_uuid AND settled.made_run_uuid IS NULL AND settled.old_run_uuid IS NOT NULL;
