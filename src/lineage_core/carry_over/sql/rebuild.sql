-- What is asked of a store of this release and of the one that is rebuilt of its events, beside what carrying over asks.

-- name: rebuild/begin
-- Where the new store keeps what it has taken of archives, and which documents of quarantine it has of the other store.
CREATE TABLE IF NOT EXISTS lineage_carry_over.kept_documents (digest bytea PRIMARY KEY);
CREATE TABLE IF NOT EXISTS lineage_carry_over.archive_parts (
    sha256 text,
    events text,
    PRIMARY KEY (sha256, events)
);
CREATE TABLE IF NOT EXISTS lineage_carry_over.archived (
    event_time timestamptz NOT NULL,
    arrived_xid bigint NOT NULL,
    arrival_seq bigint NOT NULL
)

-- name: rebuild/begin_snapshot
-- What is read until the transaction ends is of one moment, and waits for whatever locks it. Only temporary tables are written.
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
SET LOCAL lock_timeout = 0

-- name: rebuild/emissions
-- The names under which raw events are sent on.
SELECT substr(name, 6) FROM watermarks WHERE starts_with(name, 'emit ') ORDER BY name COLLATE "C"

-- name: rebuild/waiting
-- How many raw events the tables do not follow from yet.
SELECT count(*) FROM lineage_events WHERE NOT {passed}

-- name: rebuild/empty
-- Removes the rows of a table.
DELETE FROM {table}

-- name: rebuild/pause_triggers
-- Lets the owner write a history that none may edit, until the transaction ends.
ALTER TABLE {table} DISABLE TRIGGER USER

-- name: rebuild/resume_triggers
-- From now on none may edit it again.
ALTER TABLE {table} ENABLE TRIGGER USER

-- name: rebuild/fill
-- Takes rows as they are, numbers included.
COPY {table} ({columns}) FROM STDIN

-- name: rebuild/make_own
-- Rows that the new store has made itself: those whose key none of the taken rows has.
CREATE TEMP TABLE lineage_own ON COMMIT DROP AS
SELECT {columns} FROM {table} AS own WHERE NOT EXISTS (SELECT FROM pg_temp.lineage_taken AS taken WHERE {same})

-- name: rebuild/same
-- Whether two rows have one key.
({one}) = ({other})

-- name: rebuild/forget_kept_documents
-- Of quarantine, what the new store has of the other one is not its own, though the other one has it no more.
DELETE FROM pg_temp.lineage_own WHERE digest IN (SELECT digest FROM lineage_carry_over.kept_documents)

-- name: rebuild/note_kept_documents
-- Notes what it has of the other one.
INSERT INTO lineage_carry_over.kept_documents SELECT digest FROM pg_temp.lineage_taken ON CONFLICT DO NOTHING

-- name: rebuild/keep_own
-- Puts its own rows behind those that were taken, under new numbers.
INSERT INTO {table} ({columns}) SELECT {columns} FROM pg_temp.lineage_own

-- name: rebuild/keep_named_by_people
-- Takes what people have named before any event did: it has another uuid than events would give it.
INSERT INTO {table} ({columns})
SELECT {columns} FROM pg_temp.lineage_taken
WHERE first_event IS NULL OR uuid <> key_uuid({entity}, name)
ON CONFLICT (name) DO NOTHING

-- name: rebuild/needed_events
-- The places of those of some archived events that no horizon of retention can make expired.
SELECT place
FROM (
    SELECT given.event::jsonb AS event, given.event_time, given.created_at, given.place
    FROM unnest(%(events)b::text[], %(event_times)s::timestamptz[], %(created_ats)s::timestamptz[])
        WITH ORDINALITY AS given (event, event_time, created_at, place)
) AS event
WHERE {chosen} OR NOT EXISTS (SELECT FROM retention_horizons)

-- name: rebuild/take_archived
-- Takes archived events as they came, until the tables follow from them.
WITH taken AS (
    INSERT INTO lineage_events (event_time, event, created_at)
    SELECT event_time, event::jsonb, created_at
    FROM unnest(%(events)b::text[], %(event_times)s::timestamptz[], %(created_ats)s::timestamptz[])
        AS archived (event, event_time, created_at)
    RETURNING event_time, arrived_xid, arrival_seq
)
INSERT INTO lineage_carry_over.archived (event_time, arrived_xid, arrival_seq)
SELECT event_time, arrived_xid, arrival_seq FROM taken

-- name: rebuild/has_archive_part
-- Whether what is wanted of a part of an archive is taken.
SELECT EXISTS (SELECT FROM lineage_carry_over.archive_parts WHERE sha256 = %(sha256)s AND events = %(events)s)

-- name: rebuild/note_archive_part
-- Keeps that it is.
INSERT INTO lineage_carry_over.archive_parts (sha256, events) VALUES (%(sha256)s, %(events)s)

-- name: rebuild/leave_archived
-- Archived events leave the new store again, as they have left the other one.
WITH left_again AS (
    DELETE FROM lineage_carry_over.archived RETURNING event_time, arrived_xid, arrival_seq
)
DELETE FROM lineage_events AS event
USING left_again
WHERE event.event_time = left_again.event_time
  AND event.arrived_xid = left_again.arrived_xid
  AND event.arrival_seq = left_again.arrival_seq

-- name: rebuild/horizons
-- Up to which time retention has deleted.
SELECT kind, namespace, before FROM retention_horizons ORDER BY kind, namespace COLLATE "C"

-- name: rebuild/ended_edges
-- Edges that ended before the horizon of their job: what is left of them once the runs have gone that say them.
COPY (
    SELECT edge.job_uuid, edge.role, edge.name_uuid, edge.lineage_uuid, edge.since_event, edge.until_event
    FROM job_edges AS edge
    JOIN jobs AS job ON job.uuid = edge.job_uuid
    JOIN retention_horizons AS horizon ON horizon.kind = 'runs' AND horizon.namespace = job.namespace_name
    WHERE edge.until_event < first_order_at(horizon.before)
) TO STDOUT

-- name: rebuild/make_ended_edges
-- Where they are put until it is known which are there.
CREATE TEMP TABLE lineage_taken ON COMMIT DROP AS
SELECT job_uuid, role, name_uuid, lineage_uuid, since_event, until_event FROM job_edges WITH NO DATA

-- name: rebuild/keep_ended_edges
-- Takes those of jobs that are there.
INSERT INTO job_edges (job_uuid, role, name_uuid, lineage_uuid, since_event, until_event)
SELECT job_uuid, role, name_uuid, lineage_uuid, since_event, until_event
FROM pg_temp.lineage_taken AS taken
WHERE EXISTS (SELECT FROM jobs WHERE uuid = taken.job_uuid)
ON CONFLICT DO NOTHING

-- name: rebuild/keys
-- The keys of everything that retention lets go by its key.
COPY ({kinds}) TO STDOUT

-- name: rebuild/keys_of
-- Those of a kind.
SELECT DISTINCT {kind} AS kind, {key} AS uuid FROM {table} AS stored WHERE {chosen}

-- name: rebuild/key_of_job_event
-- That of an event of a job, which its place in the order of events makes.
event_key(stored.event_order)

-- name: rebuild/is_job_event
-- Whether the ledger has it of an event of a job.
stored.run_uuid IS NULL AND NOT stored.is_purged

-- name: rebuild/make_kept_keys
-- The keys of what retention has left of the other store.
CREATE TEMP TABLE lineage_kept_keys (kind text, uuid uuid)

-- name: rebuild/take_kept_keys
-- Takes them.
COPY pg_temp.lineage_kept_keys (kind, uuid) FROM STDIN

-- name: rebuild/plan_keys
-- What goes: all that the other store does not have.
INSERT INTO retention_plan_keys (plan, kind, number, keys)
SELECT {plan}, kind, number, array_agg(uuid)
FROM (
    SELECT kind, uuid, (row_number() OVER (PARTITION BY kind ORDER BY uuid) - 1) / 10000 AS number
    FROM (
        SELECT kind, uuid FROM ({kinds}) AS made
        EXCEPT
        SELECT kind, uuid FROM pg_temp.lineage_kept_keys
    ) AS gone
) AS numbered
GROUP BY kind, number

-- name: rebuild/forget_plans
-- Such a plan is none that a person has seen.
DELETE FROM retention_plan_events;
DELETE FROM retention_plan_keys;
DELETE FROM retention_plans

-- name: rebuild/rows
-- A number for each row of a table, that follows from all of its columns but some.
SELECT hashtextextended((to_jsonb(one) - {without}::text[])::text, 0) AS digest FROM public.{table} AS one WHERE {chosen}

-- name: rebuild/is_named
-- Whether a row is not among those that nothing names, as retention has found them.
NOT EXISTS (SELECT FROM pg_temp.{found} AS unnamed WHERE unnamed.{key} = one.{column})

-- name: rebuild/buckets
-- For each of 4,096 groups of rows how many there are, and a sum of their numbers.
SELECT digest & 4095 AS bucket, count(*) AS rows, sum(digest)::text AS digest FROM ({rows}) AS compared GROUP BY 1

-- name: rebuild/digests
-- The numbers of the rows of some groups.
SELECT digest FROM ({rows}) AS compared WHERE digest & 4095 = ANY (%(buckets)s::bigint[])

-- name: rebuild/end_sessions
-- Ends the sessions of others in two databases; how many there were.
SELECT count(*)
FROM (
    SELECT pg_terminate_backend(pid)
    FROM pg_stat_activity
    WHERE datname = ANY (%(databases)s) AND pid <> pg_backend_pid()
) AS ended
