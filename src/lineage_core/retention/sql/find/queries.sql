-- name: begin
-- Forgets what an earlier look has found.
DISCARD TEMP

-- name: holds
-- What legal holds are about, in the tables.

-- holds_known: the holds themselves. They come first: one that is placed meanwhile is then new, whatever else was seen of it.
CREATE TEMP TABLE holds_known AS
SELECT id FROM retention_holds_in_force;

-- jobs_held: jobs, and for which times.
CREATE TEMP TABLE jobs_held AS
SELECT uuid, events_since, events_until FROM held_jobs();

CREATE INDEX ON jobs_held (uuid);
ANALYZE jobs_held;

-- datasets_held: datasets.
CREATE TEMP TABLE datasets_held AS
SELECT uuid, events_since, events_until FROM held_datasets();

CREATE INDEX ON datasets_held (uuid);
ANALYZE datasets_held;

-- moments_restored: events that were restored, and are held for that.
CREATE TEMP TABLE moments_restored AS
SELECT ledger.event_order, ledger.event_time, ledger.run_uuid, ledger.job_uuid
FROM retention_restored_events AS restored
JOIN retention_holds_in_force AS held ON held.id = restored.hold
CROSS JOIN LATERAL (VALUES (true), (false)) AS verdict (is_ahead)
JOIN event_ledger AS ledger ON ledger.event_order = event_order(restored.identity, verdict.is_ahead)
WHERE NOT ledger.is_purged;

ANALYZE moments_restored;

-- mentions_held: what events have stated of these datasets at these times, and what restored ones have stated.
CREATE TEMP TABLE mentions_held AS
SELECT DISTINCT mention.event_order, mention.run_uuid, mention.version_uuid, held.events_since, held.events_until
FROM datasets_held AS held
JOIN dataset_mentions AS mention ON mention.dataset_uuid = held.uuid
WHERE NOT mention.is_purged
  AND (held.events_since IS NULL OR held.events_since <= mention.event_time)
  AND (held.events_until IS NULL OR held.events_until > mention.event_time)
UNION
SELECT moment.event_order, moment.run_uuid, mention.version_uuid, NULL, NULL
FROM moments_restored AS moment
LEFT JOIN dataset_mentions AS mention ON mention.event_order = moment.event_order AND NOT mention.is_purged;

CREATE INDEX ON mentions_held (version_uuid);
CREATE INDEX ON mentions_held (event_order);
ANALYZE mentions_held;

-- Of a restored event of no run, its job or its datasets are held at its time. Those of a run stay with the run.
INSERT INTO jobs_held
SELECT DISTINCT job_uuid, event_time, event_time + interval '1 microsecond'
FROM moments_restored
WHERE run_uuid IS NULL AND job_uuid IS NOT NULL;

INSERT INTO datasets_held
SELECT DISTINCT mention.dataset_uuid, moment.event_time, moment.event_time + interval '1 microsecond'
FROM moments_restored AS moment
JOIN dataset_mentions AS mention USING (event_order)
WHERE moment.run_uuid IS NULL;

-- runs_held: runs, and those that have named these datasets: facets, column lineage and the writers of versions are read by them.
CREATE TEMP TABLE runs_held AS
SELECT uuid, events_since, events_until FROM held_runs(NULL)
UNION
SELECT run_uuid, events_since, events_until FROM mentions_held WHERE run_uuid IS NOT NULL;

CREATE INDEX ON runs_held (uuid);
ANALYZE runs_held;

-- name: approved
-- approved: what goes by the plan that is carried out, and nothing else.
CREATE TEMP TABLE approved AS
SELECT kind, unnest(keys) AS uuid FROM retention_plan_keys WHERE plan = %(plan)s

-- name: index_approved
-- So that it is looked up by key.
CREATE UNIQUE INDEX ON approved (kind, uuid);
ANALYZE approved;

-- name: number
-- So that a chunk of what goes is found by its numbers.
CREATE UNIQUE INDEX ON {leaving} (number)

-- name: keys_of
-- The keys of what goes of a kind.
SELECT {kind} AS kind, {planned} AS uuid FROM {leaving}

-- name: keys
-- What goes, by its keys: what a plan has, and what is reported of one. Rows that hang on it, such as facts, have none of their own.

-- leaving_keys: what goes.
CREATE TEMP VIEW leaving_keys AS {kinds}

-- name: cutoffs
-- cutoffs: before when things go, by kind and namespace, but for the last `keep_last`. Of a namespace that is emptied, jobs and
-- datasets go with all that is theirs; the rest stays whole. `as_of` is the moment from which ages count.
CREATE TEMP TABLE cutoffs AS
SELECT kind, namespace, before, keep_last, is_emptied, %(as_of)s::timestamptz AS as_of
FROM unnest(
    %(kinds)s::text[], %(namespaces)s::text[], %(befores)s::timestamptz[], %(kept)s::integer[], %(emptied)s::boolean[]
) AS given (kind, namespace, before, keep_last, is_emptied)
