-- name: runs
-- What runs were. A run that is known from its children alone is one, too.
SELECT
    run.uuid,
    run.job_uuid,
    coalesce(job.namespace_name, run.namespace_name) AS namespace,
    coalesce(job.name, run.job_name) AS job_name,
    run.current_run_state AS state,
    coalesce(run.started_at AT TIME ZONE 'UTC', run.created_at) AS began_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.nominal_start_time AT TIME ZONE 'UTC' AS nominal_start,
    run.nominal_end_time AT TIME ZONE 'UTC' AS nominal_end,
    run.location
FROM runs AS run
LEFT JOIN jobs AS job ON job.uuid = run.job_uuid
WHERE run.uuid = ANY (%(runs)s)

-- name: good_runs
-- The last runs of jobs that completed before a moment, the last one first, among the last `looked_at` runs of each job.
-- `passed` is how many of these there were. Spark says of an application on which its task of Airflow failed that it completed: so a run
-- is not good if the run that started it failed, and no other that this one started did, among `children` of them.
SELECT asked.run, earlier.uuid, earlier.passed
FROM unnest(%(runs)s::uuid[], %(jobs)s::uuid[], %(moments)s::timestamptz[], %(wanted)s::integer[])
    AS asked (run, job, moment, wanted)
CROSS JOIN LATERAL (
    SELECT lately.uuid, lately.transitioned_at, lately.passed
    FROM (
        SELECT uuid, current_run_state, parent_run_uuid, transitioned_at, count(*) OVER () AS passed
        FROM (
            SELECT uuid, current_run_state, parent_run_uuid, transitioned_at
            FROM runs
            WHERE job_uuid = asked.job AND transitioned_at < asked.moment AT TIME ZONE 'UTC' AND uuid <> asked.run
            ORDER BY transitioned_at DESC, uuid
            LIMIT %(looked_at)s
        ) AS last
    ) AS lately
    WHERE lately.current_run_state = 'COMPLETED'
      AND NOT EXISTS (
          SELECT
          FROM runs AS parent
          WHERE parent.uuid = lately.parent_run_uuid
            AND parent.current_run_state = 'FAILED'
            AND NOT EXISTS (
                SELECT
                FROM (
                    SELECT current_run_state FROM runs WHERE parent_run_uuid = parent.uuid LIMIT %(children)s
                ) AS child
                WHERE child.current_run_state IN ('FAILED', 'ABORTED')
            )
      )
    ORDER BY lately.transitioned_at DESC, lately.uuid
    LIMIT asked.wanted
) AS earlier
ORDER BY asked.run, earlier.transitioned_at DESC, earlier.uuid

-- name: mentions
-- The datasets that runs read and wrote, with the versions in the order in which they were mentioned first. Of each run the first
-- `most` mentions are looked at. A version came when the run that wrote it had completed.
SELECT
    mention.run,
    mention.role,
    mention.dataset,
    dataset.namespace_name AS namespace,
    dataset.name,
    mention.version,
    mention.first_at,
    mention.first_order,
    mention.mentions,
    version.run_uuid AS written_by,
    writer.job_uuid AS writer_job,
    coalesce(writer.ended_at AT TIME ZONE 'UTC', version.created_at, mention.first_at) AS came_at,
    coalesce(version.lifecycle_state, '') AS lifecycle_state,
    coalesce(timeline.is_written, true) AS is_written
FROM (
    SELECT
        asked.run,
        named.role,
        named.dataset_uuid AS dataset,
        named.version_uuid AS version,
        min(named.event_time) AS first_at,
        (array_agg(named.event_order ORDER BY named.event_order))[1] AS first_order,
        (sum(count(*)) OVER (PARTITION BY asked.run))::integer AS mentions
    FROM unnest(%(runs)s::uuid[]) AS asked (run)
    CROSS JOIN LATERAL (
        SELECT role, dataset_uuid, version_uuid, event_time, event_order
        FROM dataset_mentions
        WHERE run_uuid = asked.run AND NOT is_purged
        LIMIT %(most)s
    ) AS named
    GROUP BY asked.run, named.role, named.dataset_uuid, named.version_uuid
) AS mention
JOIN datasets AS dataset ON dataset.uuid = mention.dataset
LEFT JOIN dataset_versions AS version ON version.uuid = mention.version
LEFT JOIN runs AS writer ON writer.uuid = version.run_uuid
LEFT JOIN LATERAL (
    SELECT false AS is_written
    FROM dataset_version_timeline
    WHERE dataset_uuid = mention.dataset AND NOT is_written AND version_uuid = mention.version
    LIMIT 1
) AS timeline ON true
ORDER BY mention.run, mention.role, mention.first_order, mention.dataset, mention.version

-- name: measures
-- The facets that count what runs read and wrote, by dataset, the last of each name; of each run among its first `most` mentions.
-- Of one larger than `largest` only what it counts of the whole dataset.
SELECT DISTINCT ON (asked.run, mention.role, mention.dataset_uuid, content.name COLLATE "C")
    asked.run,
    mention.role,
    mention.dataset_uuid AS dataset,
    content.uuid AS facet,
    content.name,
    CASE
        WHEN pg_column_size(content.facet) <= %(largest)s THEN content.facet -> content.name
        ELSE (
            SELECT jsonb_object_agg(number.name, content.facet -> content.name -> number.name)
            FROM unnest(%(numbers)s::text[]) AS number (name)
        )
    END AS content,
    pg_column_size(content.facet) > %(largest)s AS is_cut
FROM unnest(%(runs)s::uuid[]) AS asked (run)
CROSS JOIN LATERAL (
    SELECT role, dataset_uuid, event_order, facets_uuid, io_facets_uuid
    FROM dataset_mentions
    WHERE run_uuid = asked.run AND NOT is_purged
    LIMIT %(most)s
) AS mention
CROSS JOIN LATERAL (VALUES (mention.facets_uuid), (mention.io_facets_uuid)) AS named (set_uuid)
JOIN facet_sets ON facet_sets.uuid = named.set_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE content.name = ANY (%(names)s)
ORDER BY asked.run, mention.role, mention.dataset_uuid, content.name COLLATE "C", mention.event_order DESC, content.uuid

-- name: facets
-- Which facets runs, and their jobs by them, have: the last of each name, among the first and the last events of each run.
SELECT DISTINCT ON (asked.run, named.subject COLLATE "C", content.name COLLATE "C")
    asked.run,
    named.subject,
    content.name,
    content.uuid,
    encode(ledger.event_order, 'hex') AS event
FROM unnest(%(runs)s::uuid[]) AS asked (run)
CROSS JOIN LATERAL (
    (
        SELECT event_order, run_facets_uuid, job_facets_uuid
        FROM event_ledger
        WHERE run_uuid = asked.run AND NOT is_purged
        ORDER BY event_order DESC
        LIMIT %(most)s
    )
    UNION
    (
        SELECT event_order, run_facets_uuid, job_facets_uuid
        FROM event_ledger
        WHERE run_uuid = asked.run AND NOT is_purged
        ORDER BY event_order
        LIMIT %(most)s
    )
) AS ledger
CROSS JOIN LATERAL (
    VALUES ('run', ledger.run_facets_uuid), ('job', ledger.job_facets_uuid)
) AS named (subject, set_uuid)
JOIN facet_sets ON facet_sets.uuid = named.set_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE content.name <> ALL (%(left_out)s)
ORDER BY asked.run, named.subject COLLATE "C", content.name COLLATE "C", ledger.event_order DESC, content.uuid

-- name: long_runs
-- Those of some runs that have more than twice `most` events, so that not all are among the first and the last.
SELECT asked.run
FROM unnest(%(runs)s::uuid[]) AS asked (run)
CROSS JOIN LATERAL (
    SELECT count(*) AS events
    FROM (
        SELECT FROM event_ledger WHERE run_uuid = asked.run AND NOT is_purged LIMIT 2 * %(most)s + 1
    ) AS looked_at
) AS counted
WHERE counted.events > 2 * %(most)s

-- name: contents
-- The content of facets that are small enough to be compared member by member.
SELECT uuid, facet -> name AS content
FROM facets
WHERE uuid = ANY (%(uuids)s) AND pg_column_size(facet) <= %(largest)s

-- name: verdicts
-- The schemas of datasets that changed after one version became current, up to the one at which another did: the last `most` of
-- each, and one more whose `number` says that there are others.
SELECT
    asked.dataset,
    verdict.version_uuid AS version,
    encode(verdict.event_order, 'hex') AS event,
    verdict.current_from,
    verdict.verdict,
    verdict.changes,
    verdict.refusals,
    version.run_uuid AS written_by,
    verdict.number
FROM unnest(%(datasets)s::uuid[], %(before)s::uuid[], %(now)s::uuid[]) AS asked (dataset, before, now)
CROSS JOIN LATERAL (
    SELECT
        (
            SELECT event_order FROM dataset_schema_verdicts
            WHERE version_uuid = asked.before AND dataset_uuid = asked.dataset
            ORDER BY event_order
            LIMIT 1
        ) AS since,
        (
            SELECT event_order FROM dataset_schema_verdicts
            WHERE version_uuid = asked.now AND dataset_uuid = asked.dataset
            ORDER BY event_order
            LIMIT 1
        ) AS until
) AS span
CROSS JOIN LATERAL (
    SELECT *, (row_number() OVER (ORDER BY event_order DESC))::integer AS number
    FROM dataset_schema_verdicts
    WHERE dataset_uuid = asked.dataset
      AND event_order > span.since
      AND event_order <= span.until
      AND verdict IN ('compatible', 'refused')
    ORDER BY event_order DESC
    LIMIT %(most)s + 1
) AS verdict
LEFT JOIN dataset_versions AS version ON version.uuid = verdict.version_uuid
ORDER BY asked.dataset, verdict.event_order DESC

-- name: runs_between
-- The runs of jobs that came to their state after one moment, up to another; the last ones of each such span, by its number.
SELECT asked.number, found.uuid
FROM unnest(%(jobs)s::uuid[], %(since)s::timestamptz[], %(until)s::timestamptz[])
    WITH ORDINALITY AS asked (job, since, until, number)
CROSS JOIN LATERAL (
    SELECT uuid, transitioned_at
    FROM runs
    WHERE job_uuid = asked.job
      AND transitioned_at > asked.since AT TIME ZONE 'UTC'
      AND transitioned_at <= asked.until AT TIME ZONE 'UTC'
    ORDER BY transitioned_at DESC, uuid
    LIMIT %(most)s
) AS found
ORDER BY asked.number, found.transitioned_at DESC, found.uuid

-- name: children
-- The runs that runs have started: those that failed first, then those that are open, the last ones of each first. `started` is how many
-- there are.
SELECT asked.run, child.uuid, child.started
FROM unnest(%(runs)s::uuid[]) AS asked (run)
CROSS JOIN LATERAL (
    SELECT
        uuid,
        created_at,
        CASE current_run_state WHEN 'FAILED' THEN 1 WHEN 'ABORTED' THEN 2 WHEN 'COMPLETED' THEN 4 ELSE 3 END AS place,
        (count(*) OVER ())::integer AS started
    FROM runs
    WHERE parent_run_uuid = asked.run
    ORDER BY place, created_at DESC, uuid
    LIMIT %(most)s
) AS child
ORDER BY asked.run, child.place, child.created_at DESC, child.uuid

-- name: waiting
-- How many events of some runs are in no table yet.
SELECT run_uuid AS run, count(*)::integer AS events
FROM waiting_events
WHERE run_uuid = ANY (%(runs)s)
GROUP BY run_uuid

-- name: message
-- Of a facet `content` of an error. Some producers state the trace alone. What is no text says nothing.
left(
    coalesce(
        CASE jsonb_typeof(content.facet -> content.name -> 'message')
            WHEN 'string' THEN nullif(content.facet -> content.name ->> 'message', '')
        END,
        CASE jsonb_typeof(content.facet -> content.name -> 'stackTrace')
            WHEN 'string' THEN content.facet -> content.name ->> 'stackTrace'
        END
    ),
    %(longest)s
)

-- name: messages
-- What some facets of errors say, however large they are.
SELECT content.uuid AS facet, {message} AS message
FROM facets AS content
WHERE content.uuid = ANY (%(facets)s)

-- name: failures
-- The last failed runs, of all jobs and of some, with their error messages: of each such list of runs the last `looked_at` are
-- looked at, up to a moment.
SELECT
    run.uuid AS run,
    coalesce(job.namespace_name, run.namespace_name) || '/' || coalesce(job.name, run.job_name) AS job,
    run.job_uuid,
    coalesce(run.ended_at AT TIME ZONE 'UTC', run.created_at) AS failed_at,
    content.uuid AS facet,
    {message} AS message
FROM (
    SELECT uuid
    FROM (
        SELECT uuid, current_run_state
        FROM runs
        WHERE created_at <= %(until)s
        ORDER BY created_at DESC
        LIMIT %(looked_at)s
    ) AS of_all
    WHERE current_run_state = 'FAILED'
    UNION
    SELECT of_job.uuid
    FROM unnest(%(jobs)s::uuid[]) AS asked (job)
    CROSS JOIN LATERAL (
        SELECT uuid, current_run_state
        FROM runs
        WHERE job_uuid = asked.job AND transitioned_at <= %(until)s::timestamptz AT TIME ZONE 'UTC'
        ORDER BY transitioned_at DESC
        LIMIT %(looked_at_of_job)s
    ) AS of_job
    WHERE of_job.current_run_state = 'FAILED'
) AS failed
JOIN runs AS run ON run.uuid = failed.uuid
LEFT JOIN jobs AS job ON job.uuid = run.job_uuid
JOIN event_ledger AS ledger ON ledger.run_uuid = run.uuid
JOIN facet_sets ON facet_sets.uuid = ledger.run_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid AND content.name = 'errorMessage'
ORDER BY failed_at DESC, run.uuid, content.uuid
LIMIT %(most)s

-- name: purged_writers
-- Versions that a run wrote which retention has deleted.
SELECT DISTINCT version_uuid AS version
FROM dataset_mentions
WHERE version_uuid = ANY (%(versions)s) AND role = output_role() AND is_purged

-- name: state_of_run
-- What is known of a run that the tables do not have: when retention has deleted it, and how many of its events wait.
SELECT
    (SELECT purged_at FROM retention_purged_runs WHERE uuid = %(run)s) AS purged_at,
    (SELECT count(*) FROM waiting_events WHERE run_uuid = %(run)s) AS waiting,
    now() AS as_of

-- name: horizons
-- Up to which time retention has deleted runs of namespaces.
SELECT namespace, before FROM retention_horizons WHERE kind = 'runs' AND namespace = ANY (%(namespaces)s)
