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

-- mentions_held: what events have said of these datasets at these times.
CREATE TEMP TABLE mentions_held AS
SELECT DISTINCT mention.event_order, mention.run_uuid, mention.version_uuid, held.events_since, held.events_until
FROM datasets_held AS held
JOIN dataset_mentions AS mention ON mention.dataset_uuid = held.uuid
WHERE NOT mention.is_purged
  AND (held.events_since IS NULL OR held.events_since <= mention.event_time)
  AND (held.events_until IS NULL OR held.events_until > mention.event_time);

CREATE INDEX ON mentions_held (version_uuid);
CREATE INDEX ON mentions_held (event_order);
ANALYZE mentions_held;

-- runs_held: runs, and those that have named these datasets: facets, column lineage and the writers of versions are read by them.
CREATE TEMP TABLE runs_held AS
SELECT uuid, events_since, events_until FROM held_runs(NULL)
UNION
SELECT run_uuid, events_since, events_until FROM mentions_held WHERE run_uuid IS NOT NULL;

CREATE INDEX ON runs_held (uuid);
ANALYZE runs_held;
