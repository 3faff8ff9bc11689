-- name: keep_verification
-- Keeps what a verification has found, and when, if it was good.
UPDATE migrations
SET verification = %(verification)s::jsonb,
    verified_at = CASE WHEN %(is_good)s THEN clock_timestamp() END
WHERE name = %(migration)s

-- name: is_behind
-- Whether a key comes behind another, in the order of its type.
SELECT %(last)s::{kind} > %(after)s::{kind}

-- name: first_in_quarantine
-- The first row in quarantine that is not accepted for the error that it has, and how many there are.
SELECT count(*) OVER () AS number, key, error
FROM migration_quarantine AS held
WHERE migration = %(migration)s
  AND NOT EXISTS (
      SELECT
      FROM migration_acceptances AS known
      WHERE (known.migration, known.key, known.error) = (held.migration, held.key, held.error)
  )
ORDER BY key COLLATE "C"
LIMIT 1

-- name: switch_readers
-- Lets readers read what the migration made, or what it replaces.
UPDATE migrations SET reads_new = %(reads_new)s WHERE name = %(migration)s

-- name: count_failed
-- How many rows workers have put into quarantine since the migration was planned. What a step itself puts there was foreseen.
SELECT count(DISTINCT detail)
FROM migration_transitions
JOIN migrations ON name = migration
WHERE migration = %(migration)s AND event = %(event)s AND happened_at >= planned_at

-- name: count_left
-- How many keys of a range are left, but never more than two: one is put into quarantine, several are split.
SELECT count(*)
FROM (
    SELECT DISTINCT {key}
    FROM {table}
    WHERE (%(after)s::{kind} IS NULL OR {key} > %(after)s::{kind}) AND {key} <= %(until)s::{kind}
    LIMIT 2
) AS kept

-- name: pause_range
-- Lets a range be taken again after a pause.
UPDATE migration_ranges
SET state = 'waiting',
    worker = NULL,
    attempts = %(attempts)s,
    not_before = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE id = %(id)s

-- name: middle
-- The key in the middle of what is left of a range, with its place.
SELECT key, place
FROM (
    SELECT {key}::text AS key, row_number() OVER (ORDER BY {key}) AS place, count(*) OVER () AS number
    FROM (
        SELECT DISTINCT {key}
        FROM {table}
        WHERE (%(after)s::{kind} IS NULL OR {key} > %(after)s::{kind}) AND {key} <= %(until)s::{kind}
    ) AS keys
) AS numbered
WHERE place = (number + 1) / 2

-- name: shorten_range
-- A range ends where it stands, as others have the rest of it.
UPDATE migration_ranges SET state = 'done', worker = NULL, rows = done WHERE id = %(id)s

-- name: quarantine_key
-- Puts what is left of a range, which is one row or none, into quarantine; whether its error is news, as it is not accepted yet.
INSERT INTO migration_quarantine AS held (migration, key, error)
SELECT DISTINCT %(migration)s, {key}::text, %(error)s
FROM {table}
WHERE (%(after)s::{kind} IS NULL OR {key} > %(after)s::{kind}) AND {key} <= %(until)s::{kind}
ON CONFLICT (migration, key) DO UPDATE SET error = excluded.error
RETURNING NOT EXISTS (
    SELECT
    FROM migration_acceptances AS known
    WHERE (known.migration, known.key, known.error) = (held.migration, held.key, held.error)
) AS is_news

-- name: complete_range
-- A range is done, with all its rows.
UPDATE migration_ranges SET state = 'done', worker = NULL, done = rows WHERE id = %(id)s

-- name: signals
-- What the server shows of its health. Without the role pg_monitor some of it is null.
SELECT
    CASE WHEN pg_is_in_recovery() THEN NULL ELSE pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') END::double precision AS wal,
    clock_timestamp() AS looked_at,
    (
        -- A segment's name is its timeline and its number, in two halves of which the second counts up to 4 GiB. If none was
        -- archived since a crash, which forgets the count, the oldest that waits is the one that failed.
        SELECT greatest(written.number - (archived.number - (last_archived_wal IS NULL)::integer), 0)
        FROM (SELECT *, coalesce(last_archived_wal, last_failed_wal) AS last_wal FROM pg_stat_archiver) AS archiver
        CROSS JOIN LATERAL (
            SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 9, 8))::bit(32)::bigint
                * (4294967296 / pg_size_bytes(current_setting('wal_segment_size')))
                + ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 17, 8))::bit(32)::bigint - 1 AS number
        ) AS written
        CROSS JOIN LATERAL (
            SELECT ('x' || substr(last_wal, 9, 8))::bit(32)::bigint
                * (4294967296 / pg_size_bytes(current_setting('wal_segment_size')))
                + ('x' || substr(last_wal, 17, 8))::bit(32)::bigint AS number
        ) AS archived
        WHERE current_setting('archive_mode') <> 'off' AND last_wal COLLATE "C" ~ '^[0-9A-F]{24}$'
    )::bigint AS archive_queue,
    (SELECT max(extract(epoch FROM replay_lag))::double precision FROM pg_stat_replication) AS replication_lag_seconds,
    ARRAY(
        -- A vacuum, an analyze and the making of an index all take this lock, and everybody sees it.
        SELECT pg_class.relname::text
        FROM pg_locks
        JOIN pg_class ON pg_class.oid = pg_locks.relation
        WHERE mode = 'ShareUpdateExclusiveLock'
          AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
          AND pg_class.oid = ANY (%(tables)s::regclass[])
        ORDER BY 1
    ) AS vacuumed,
    (
        SELECT extract(epoch FROM clock_timestamp() - min(xact_start))::double precision
        FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND datname = current_database()
    ) AS transaction_seconds,
    (
        -- Without that role the others' states are null, and none would be counted.
        SELECT CASE WHEN pg_has_role('pg_read_all_stats', 'USAGE') THEN count(*) END
        FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND state = 'active' AND pid <> pg_backend_pid()
          AND application_name <> 'lineage migration' AND datname = current_database()
    ) AS active_sessions;

-- name: hold
-- Opens a hold, or prolongs the one by the same signal; whether it was opened. A migration that is not at work has none.
INSERT INTO migration_holds AS stored (migration, signal, detail, since, until)
SELECT name, %(signal)s, %(detail)s, clock_timestamp(), clock_timestamp() + make_interval(secs => %(seconds)s)
FROM migrations
WHERE name = %(migration)s AND state = ANY (%(at_work)s)
FOR SHARE
ON CONFLICT (migration, signal) WHERE ended_at IS NULL
DO UPDATE SET detail = excluded.detail, until = excluded.until
RETURNING xmax = 0 AS is_new

-- name: add_hold_query
-- Stores a query that may hold migrations, in place of one of its name.
INSERT INTO hold_queries (name, query)
VALUES (%(name)s, %(query)s)
ON CONFLICT (name) DO UPDATE
SET query = excluded.query, stored_by = excluded.stored_by, stored_at = excluded.stored_at

-- name: hold_queries
-- The stored queries, by name.
SELECT name, query, stored_by, stored_at FROM hold_queries ORDER BY name COLLATE "C"

-- name: hold_query_users
-- The migrations that are held by a stored query, by name.
SELECT name FROM migrations WHERE settings ->> 'hold_query' = %(name)s ORDER BY name COLLATE "C"

-- name: remove_hold_query
-- Removes a stored query.
DELETE FROM hold_queries WHERE name = %(name)s

-- name: hold_query
-- The text of a stored query.
SELECT query FROM hold_queries WHERE name = %(name)s

-- name: only_a_select
-- What stands in these brackets is a query that returns rows. Two of them show that there is more than one.
SELECT * FROM (
{query}
) AS asked LIMIT 2

-- name: missing_indexes
-- Those of the indexes that are not there, or not built to their end, in the order in which they are given.
SELECT name
FROM unnest(%(indexes)s::text[]) WITH ORDINALITY AS costly (name, place)
WHERE NOT EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(name) AND indisvalid)
ORDER BY place

-- name: is_worth_it
-- Whether at least one row in so many waits to be updated.
SELECT count(*) FILTER (WHERE {waiting}) * %(worth)s >= count(*) AND count(*) > 0 FROM {table}

-- name: change_settings
-- Replaces the settings of a migration.
UPDATE migrations SET settings = %(settings)s::jsonb WHERE name = %(migration)s

-- name: put_back
-- Takes all rows of a migration out of quarantine: each key becomes a range of its own, from the key before it.
WITH freed AS (DELETE FROM migration_quarantine WHERE migration = %(migration)s RETURNING key)
INSERT INTO migration_ranges (migration, after_key, until_key, rows)
SELECT %(migration)s, before.key, freed.key, 0
FROM freed
LEFT JOIN LATERAL (
    SELECT {key}::text AS key FROM {table} WHERE {key} < freed.key::{kind} ORDER BY {table}.{key} DESC LIMIT 1
) AS before ON true

-- name: release_ranges
-- Lets the ranges that wait after a failure be taken at once.
UPDATE migration_ranges
SET state = 'pending', attempts = 0, interruptions = 0, not_before = NULL
WHERE migration = %(migration)s AND state = 'waiting'

-- name: accept
-- Accepts rows that are in quarantine, for the reason for which they are there: those of the keys, or all if none are named.
-- One that is accepted for that reason stays as it is. Gives the keys that are accepted now, and whether by this.
WITH chosen AS (
    SELECT migration, key, error
    FROM migration_quarantine
    WHERE migration = %(migration)s AND (%(keys)s::text[] IS NULL OR key = ANY (%(keys)s::text[]))
),
accepted AS (
    INSERT INTO migration_acceptances AS stored (migration, key, error, why, accepted_from)
    SELECT migration, key, error, %(why)s, %(from)s FROM chosen
    ON CONFLICT (migration, key) DO UPDATE
    SET error = excluded.error,
        why = excluded.why,
        accepted_by = excluded.accepted_by,
        accepted_from = excluded.accepted_from,
        accepted_at = excluded.accepted_at
    WHERE stored.error <> excluded.error
    RETURNING key
)
SELECT key, key IN (SELECT key FROM accepted) AS is_new FROM chosen;

-- name: status
-- How far a long migration is.
SELECT
    migrations.name,
    migrations.state,
    migrations.settings,
    coalesce(migrations.total, 0) AS total,
    coalesce(ranges.done, 0)::bigint AS done,
    coalesce(ranges.changed, 0)::bigint AS changed,
    coalesce(ranges.pending, 0) AS ranges_pending,
    coalesce(ranges.running, 0) AS ranges_running,
    coalesce(ranges.waiting, 0) AS ranges_waiting,
    coalesce(ranges.finished, 0) AS ranges_done,
    aside.quarantined,
    aside.accepted,
    coalesce(workers.number, 0) AS workers,
    coalesce(
        workers.rate,
        ranges.done / nullif(
            extract(epoch FROM coalesce(migrations.finished_at, clock_timestamp()) - migrations.started_at), 0
        )
    )::double precision AS rows_per_second,
    coalesce(workers.spread, 0)::double precision AS spread,
    workers.batch_rows,
    workers.batch_seconds,
    holds.seconds AS held_seconds,
    migrations.reads_new,
    migrations.planned_at,
    migrations.started_at,
    migrations.finished_at,
    migrations.verified_at,
    migrations.verification
FROM migrations
CROSS JOIN LATERAL (
    SELECT
        sum(done) AS done,
        sum(changed) AS changed,
        count(*) FILTER (WHERE state = 'pending') AS pending,
        count(*) FILTER (WHERE state = 'running') AS running,
        count(*) FILTER (WHERE state = 'waiting') AS waiting,
        count(*) FILTER (WHERE state = 'done') AS finished
    FROM migration_ranges
    WHERE migration = migrations.name
) AS ranges
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE known.key IS NULL) AS quarantined,
        count(known.key) AS accepted
    FROM migration_quarantine AS held
    LEFT JOIN migration_acceptances AS known USING (migration, key, error)
    WHERE held.migration = migrations.name
) AS aside
CROSS JOIN LATERAL (
    SELECT
        nullif(count(*), 0) AS number,
        sum(migration_workers.rows_per_second) AS rate,
        max(migration_workers.spread) AS spread,
        max(batch_rows) AS batch_rows,
        max(batch_seconds) AS batch_seconds
    FROM migration_workers
    WHERE migration = migrations.name AND migration_workers.number = ANY (%(alive)s)
) AS workers
CROSS JOIN LATERAL (
    -- Holds overlap, so these may add up to more than the time that was waited.
    SELECT coalesce(jsonb_object_agg(held.signal, held.seconds ORDER BY held.signal COLLATE "C"), '{}') AS seconds
    FROM (
        SELECT signal, round(extract(epoch FROM sum(coalesce(ended_at, clock_timestamp()) - since)), 3) AS seconds
        FROM migration_holds
        WHERE migration = migrations.name AND since >= migrations.planned_at
        GROUP BY signal
    ) AS held
) AS holds
WHERE %(migration)s::text IS NULL OR migrations.name = %(migration)s
ORDER BY migrations.name COLLATE "C";

-- name: holds
-- What holds a migration now, the oldest first.
SELECT signal, detail, since, until
FROM migration_holds
WHERE migration = %(migration)s AND ended_at IS NULL
ORDER BY id

-- name: end_holds
-- Ends the holds of a migration, but for those by the signals that are kept; gives the signals of those that ended.
UPDATE migration_holds
SET ended_at = clock_timestamp()
WHERE migration = %(migration)s AND ended_at IS NULL AND NOT signal = ANY (%(kept)s)
RETURNING signal

-- name: workers_alive
-- The numbers of the workers whose sessions are there: each holds a lock, of which `workers` is the first half.
SELECT objid::bigint
FROM pg_locks
WHERE locktype = 'advisory' AND classid = %(workers)s AND objsubid = 2 AND granted
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())

-- name: move
-- Writes the new state of a migration.
UPDATE migrations SET state = %(state)s WHERE name = %(migration)s

-- name: note
-- Writes what happened to a migration, or to one of its ranges.
INSERT INTO migration_transitions (migration, range_id, event, detail)
VALUES (%(migration)s, %(range_id)s, %(event)s, %(detail)s)

-- name: lock
-- A migration as commands need it, locked against other commands.
SELECT state, settings, verified_at FROM lock_migration(%(migration)s)

-- name: steer
-- Lets a migration wait, go on, or end.
SELECT steer_migration(%(migration)s, %(state)s, %(command)s)

-- name: plan
-- Plans a migration, or plans it anew; then its settings stay.
INSERT INTO migrations (name, state, settings)
VALUES (%(migration)s, %(state)s, %(settings)s::jsonb)
ON CONFLICT (name) DO UPDATE
SET total = NULL, planned_at = now(), started_at = NULL, finished_at = NULL, verified_at = NULL, verification = NULL

-- name: forget_plan
-- Removes what an earlier plan of a migration left in a table.
DELETE FROM {table} WHERE migration = %(migration)s

-- name: keep_total
-- Writes how many rows a migration looks at.
UPDATE migrations SET total = %(total)s WHERE name = %(migration)s

-- name: count_rows
-- How many rows a table has.
SELECT count(*) FROM {table}

-- name: cuts
-- The key of each so many-th row, and of the last one, with its place. Reads nothing but the index of the key.
SELECT key, place
FROM (SELECT {key}::text AS key, row_number() OVER (ORDER BY {key}) AS place FROM {table}) AS numbered
WHERE place %% %(size)s = 0 OR place = (SELECT count(*) FROM {table})
ORDER BY place

-- name: add_range
-- A range of keys that is not begun.
INSERT INTO migration_ranges (migration, after_key, until_key, rows)
VALUES (%(migration)s, %(after)s, %(until)s, %(rows)s)

-- name: session
-- A worker that stands still loses its session, and so its range.
SET idle_in_transaction_session_timeout = '60s';
SET idle_session_timeout = '5min';
SET enable_seqscan = off;
SET jit = off;

-- name: session_beside_a_run
-- Where the main job does the work, the worker's own session has nothing to do meanwhile.
SET idle_session_timeout = '1h';

-- name: permit
-- What workers of a plan may do now; no row once it is planned anew.
SELECT
    state,
    settings,
    count(hold.id) > 0 AS is_held,
    coalesce(bool_or(hold.until < clock_timestamp()), false) AS must_look
FROM migrations
LEFT JOIN migration_holds AS hold ON hold.migration = name AND hold.ended_at IS NULL
WHERE name = %(migration)s AND planned_at = %(planned_at)s
GROUP BY state, settings

-- name: claim
-- A range for a worker: one that is not begun, or one whose pause after a failure is over, or one whose worker is dead.
UPDATE migration_ranges
SET state = 'running',
    worker = %(worker)s,
    interruptions = migration_ranges.interruptions + (claimed.state = 'running')::integer
FROM (
    SELECT id, state
    FROM migration_ranges
    WHERE migration = %(migration)s
      AND (
          state = 'pending'
          OR (state = 'waiting' AND not_before <= clock_timestamp())
          OR (state = 'running' AND NOT worker = ANY (%(alive)s))
      )
    ORDER BY state COLLATE "C", id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
) AS claimed
WHERE migration_ranges.id = claimed.id
RETURNING
    migration_ranges.id,
    coalesce(cursor_key, after_key) AS after,
    until_key AS until,
    rows,
    done,
    attempts,
    interruptions >= %(interruptions)s AS has_killed,
    claimed.state = 'running' AS was_running;

-- name: give_back
-- Leaves a range to others, as it is, unless another worker has it.
UPDATE migration_ranges SET state = 'pending', worker = NULL WHERE id = %(id)s AND worker = %(worker)s

-- name: is_anything_left
-- Whether a range is not done.
SELECT EXISTS (SELECT FROM migration_ranges WHERE migration = %(migration)s AND state <> 'done')

-- name: finish
-- Writes when the last range was done; no row if one is not, or if the migration does not run.
UPDATE migrations
SET finished_at = clock_timestamp()
WHERE name = %(migration)s
  AND state = %(running)s
  AND NOT EXISTS (SELECT FROM migration_ranges AS range WHERE range.migration = name AND range.state <> 'done')

-- name: register_worker
-- A new worker; its number.
INSERT INTO migration_workers (migration, host) VALUES (%(migration)s, %(host)s) RETURNING number

-- name: start
-- Writes when the first worker began; the state, and when the migration was planned.
UPDATE migrations
SET started_at = coalesce(started_at, clock_timestamp())
WHERE name = %(migration)s
RETURNING state, planned_at

-- name: fence
-- Keeps others out of a range until the transaction ends; no row if another worker has it.
SELECT id FROM migration_ranges WHERE id = %(id)s AND worker = %(worker)s AND state = 'running' FOR UPDATE

-- name: progress
-- Writes what a transaction did in its range; no row if it ended where it began, or before.
UPDATE migration_ranges
SET cursor_key = coalesce(%(last)s::text, cursor_key),
    changed = changed + %(changed)s,
    done = CASE WHEN %(is_last)s THEN rows ELSE least(done + %(looked_at)s, rows) END,
    state = CASE WHEN %(is_last)s THEN 'done' ELSE state END,
    attempts = 0,
    interruptions = 0
WHERE id = %(id)s AND coalesce(coalesce(cursor_key, after_key)::{kind} < %(last)s::text::{kind}, true)

-- name: show_life
-- Writes what the work of a worker took; and the longest of its transactions, in which others may have had to wait.
UPDATE migration_workers
SET seen_at = clock_timestamp(),
    batch_rows = %(rows)s,
    rows_per_second = %(rows_per_second)s,
    spread = %(spread)s,
    batch_seconds = %(seconds)s,
    longest_seconds = greatest(longest_seconds, extract(epoch FROM clock_timestamp() - now()))
WHERE number = %(worker)s

-- name: checks/stuck_migrations
-- Long migrations with rows in quarantine that are not accepted, and those that are paused or have failed.
SELECT format('The migration %s has %s rows in quarantine', name, aside.rows)
FROM migrations
CROSS JOIN LATERAL (
    SELECT count(*) AS rows
    FROM migration_quarantine AS held
    LEFT JOIN migration_acceptances AS known USING (migration, key, error)
    WHERE held.migration = migrations.name AND known.key IS NULL
) AS aside
WHERE aside.rows > 0
UNION ALL
SELECT format('The migration %s is %s', name, state) FROM migrations WHERE state IN ('paused', 'failed')
