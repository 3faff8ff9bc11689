-- name: add_hold
-- Places a legal hold.
INSERT INTO retention_holds (namespace_pattern, dataset, job, run, events_since, events_until, manifest, why, until)
VALUES (
    %(namespace_pattern)s, %(dataset)s, %(job)s, %(run)s, %(events_since)s, %(events_until)s, %(manifest)s, %(why)s, %(until)s
)
RETURNING id

-- name: unreleased_hold
-- A hold that is not released.
SELECT id
FROM retention_holds AS held
WHERE id = %(hold)s AND NOT EXISTS (SELECT FROM retention_hold_releases AS released WHERE released.hold = held.id)

-- name: release_hold
-- Ends a legal hold.
INSERT INTO retention_hold_releases (hold, why) VALUES (%(hold)s, %(why)s)

-- name: holds
-- Every legal hold that was ever placed, and how it ended. A time outside of the years 1 to 9999 of UTC, which Postgres takes and
-- no reader can have, is the nearest one within them.
SELECT
    held.id,
    held.namespace_pattern,
    held.dataset,
    held.job,
    held.run,
    CASE WHEN held.events_since IS NOT NULL THEN greatest(least(held.events_since, read.last), read.first) END AS events_since,
    CASE WHEN held.events_until IS NOT NULL THEN greatest(least(held.events_until, read.last), read.first) END AS events_until,
    held.manifest,
    held.why,
    CASE WHEN held.until IS NOT NULL THEN greatest(least(held.until, read.last), read.first) END AS until,
    held.placed_by,
    held.placed_at,
    released.released_by,
    released.released_at,
    released.why AS released_because,
    EXISTS (SELECT FROM retention_holds_in_force AS counting WHERE counting.id = held.id) AS is_in_force,
    names_something(held.id) AS is_known
FROM retention_holds AS held
CROSS JOIN (
    VALUES ('0001-01-01 00:00:00+00'::timestamptz, '9999-12-31 23:59:59.999999+00'::timestamptz)
) AS read (first, last)
LEFT JOIN retention_hold_releases AS released ON released.hold = held.id
ORDER BY held.id

-- name: namespaces
-- The names of all namespaces, formatted.
SELECT name FROM namespaces ORDER BY name COLLATE "C"

-- name: policies
-- The policies in force, in the order in which they count.
SELECT kind, namespace_pattern, older_than, keep_last FROM retention_policies_in_force

-- name: add_policy
-- Puts a policy in force, or ends one.
INSERT INTO retention_policies (kind, namespace_pattern, older_than, keep_last, is_removed)
VALUES (%(kind)s, %(namespace_pattern)s, %(older_than)s, %(keep_last)s, %(is_removed)s)

-- name: session
-- How a session looks for what goes, and deletes it. The sets of ids that it compares are large, and are hashed only where they
-- have room. A lock that others hold is waited for shortly: the transaction is tried again.
SET work_mem = '128MB';
SET lock_timeout = '2s';
SET search_path = pg_temp, public;
SET jit = off

-- name: count_kept
-- What stays though it is older than its cutoff, by the reason.
SELECT stays AS reason, count(*) AS rows
FROM (
    SELECT stays FROM old_runs
    UNION ALL
    SELECT stays FROM old_versions
    UNION ALL
    SELECT stays FROM old_job_versions
    UNION ALL
    SELECT stays FROM old_jobs
    UNION ALL
    SELECT stays FROM old_datasets
) AS old
WHERE stays IS NOT NULL
GROUP BY stays

-- name: bytes
-- What so many rows of these tables take, by the mean of each table with its indexes. The number of rows is what ANALYZE has
-- found last, or what is counted as rows come and go, where the table is not analyzed yet.
SELECT coalesce(
    sum(
        pg_total_relation_size(relation.oid)
        * (going.rows / greatest(relation.reltuples, pg_stat_get_live_tuples(relation.oid), going.rows, 1))
    ),
    0
)::bigint
FROM unnest(%(tables)s::text[], %(rows)s::bigint[]) AS going (name, rows)
JOIN pg_class AS relation ON relation.oid = to_regclass('public.' || going.name)

-- name: count_unwritten
-- How many versions that stay are written by a run that goes: they lose it, with its facets and its column lineage.
SELECT count(*)
FROM leaving_runs
JOIN dataset_versions AS version ON version.run_uuid = leaving_runs.uuid
WHERE NOT EXISTS (SELECT FROM leaving_versions AS other WHERE other.uuid = version.uuid)

-- name: count_rows_among
-- How many rows of a table that are about one kind of thing name what goes.
SELECT count(*) FROM {table} AS stored JOIN {leaving} AS leaving ON stored.{column} = leaving.{key} WHERE stored.{of} = %(among)s

-- name: count_rows_of
-- How many rows of a table name what goes.
SELECT count(*) FROM {table} AS stored JOIN {leaving} AS leaving ON stored.{column} = leaving.{key}

-- name: count_found
-- How many rows of one temporary table go.
SELECT count(*) FROM {found}

-- name: advance_horizons
-- From now on nothing of before the cutoffs comes back into the namespaces from which something goes.
INSERT INTO retention_horizons AS known (kind, namespace, before)
SELECT DISTINCT cutoff.kind, cutoff.namespace, cutoff.before
FROM (
    SELECT 'runs' AS kind, job.namespace_name AS namespace
    FROM leaving_runs
    JOIN runs AS run USING (uuid)
    JOIN jobs AS job ON job.uuid = run.job_uuid
    UNION
    SELECT 'runs', job.namespace_name
    FROM leaving_events
    JOIN event_ledger AS ledger USING (event_order)
    JOIN jobs AS job ON job.uuid = ledger.job_uuid
    UNION
    SELECT 'versions', dataset.namespace_name
    FROM leaving_versions
    JOIN dataset_versions AS version USING (uuid)
    JOIN datasets AS dataset ON dataset.uuid = version.dataset_uuid
) AS going
JOIN cutoffs AS cutoff USING (kind, namespace)
ON CONFLICT (kind, namespace) DO UPDATE SET before = excluded.before
WHERE known.before < excluded.before

-- name: count_leaving
-- The last number of what goes in a phase; some before it may stay after all.
SELECT coalesce(max(number), 0) FROM {leaving}

-- name: keep_holds
-- Keeps legal holds from being placed until the transaction ends.
SELECT keep_holds()

-- name: new_holds
-- Whether a legal hold has come into force since it was looked for what goes.
SELECT EXISTS (SELECT FROM retention_holds_in_force WHERE id NOT IN (SELECT id FROM holds_known))

-- name: hold_of_restored
-- The legal hold in force that keeps the events of an archive, where it was restored before.
SELECT id FROM retention_holds_in_force WHERE manifest = %(manifest)s ORDER BY id LIMIT 1

-- name: spoke_again
-- Runs that were deleted and are there again, the last ones first: they have spoken since. What was restored is from behind the
-- horizon.
SELECT run.uuid, run.namespace_name AS namespace, run.job_name AS job, run.created_at, purged.purged_at
FROM retention_purged_runs AS purged
JOIN runs AS run USING (uuid)
LEFT JOIN retention_horizons AS horizon ON (horizon.kind, horizon.namespace) = ('runs', run.namespace_name)
WHERE run.created_at >= coalesce(horizon.before, '-infinity')
ORDER BY run.created_at DESC, run.uuid
LIMIT %(most)s

-- name: reports
-- The last applications of retention, the newest first.
SELECT id, as_of, plan, archive, deleted, stayed, applied_by, started_at, finished_at
FROM retention_reports
ORDER BY id DESC
LIMIT %(most)s

-- name: begin_report
-- Writes what is to be deleted; the number of the report.
INSERT INTO retention_reports (as_of, plan, archive, deleted)
VALUES (%(as_of)s, %(plan)s, %(archive)s, '{}')
RETURNING id

-- name: end_report
-- Writes that nothing is left to delete, and why some of what was planned has stayed.
UPDATE retention_reports SET stayed = %(stayed)s, finished_at = clock_timestamp() WHERE id = %(report)s

-- name: add_deleted
-- Adds to a report what the same transaction deletes.
UPDATE retention_reports AS report
SET deleted = report.deleted || (
    SELECT jsonb_object_agg(gone.key, gone.value::bigint + coalesce((report.deleted ->> gone.key)::bigint, 0))
    FROM jsonb_each_text(%(deleted)s) AS gone
)
WHERE id = %(report)s

-- name: checks/unfinished_archives
-- Applications that have begun an archive of raw events and never finished, while no one archives and no later one below the same
-- URL has finished: what they have left there takes room.
SELECT format(
    'An application of retention of %s has left unfinished folders below %s',
    to_char(began.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'), began.archive
)
FROM (
    SELECT DISTINCT ON (archive COLLATE "C") id, archive, started_at
    FROM retention_reports
    WHERE archive IS NOT NULL AND finished_at IS NULL
    ORDER BY archive COLLATE "C", id DESC
) AS began
WHERE NOT EXISTS (
    SELECT
    FROM retention_reports AS later
    WHERE later.archive = began.archive AND later.id > began.id AND later.finished_at IS NOT NULL
)
AND NOT EXISTS (
    SELECT
    FROM pg_locks
    WHERE locktype = 'advisory'
      AND objsubid = 1
      AND (classid::bigint << 32 | objid::bigint) = 5411769100238117021
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
ORDER BY began.archive COLLATE "C"

-- name: checks/unfinished_retention
-- The last application of retention, if it began more than a day ago and has not finished.
SELECT format('Retention has not finished since %s', to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
FROM (SELECT started_at, finished_at FROM retention_reports ORDER BY id DESC LIMIT 1) AS last
WHERE finished_at IS NULL AND started_at < now() - interval '1 day'
