-- name: affected/run
-- Whether a run is there, and whether retention has left facts of it.
SELECT
    EXISTS (SELECT FROM runs WHERE uuid = %(run)s) AS is_there,
    EXISTS (SELECT FROM retention_purged_runs WHERE uuid = %(run)s)
    OR EXISTS (SELECT FROM dataset_mentions WHERE run_uuid = %(run)s AND is_purged)
    OR EXISTS (SELECT FROM event_ledger WHERE run_uuid = %(run)s AND is_purged) AS is_purged

-- name: affected/version
-- A dataset version, by its uuid or by the id that its content derives.
SELECT uuid
FROM dataset_versions
WHERE uuid = %(version)s OR version = %(version)s
ORDER BY uuid <> %(version)s
LIMIT 1

-- name: affected/is_mentioned
-- Whether mentions are left of a version that is no longer there.
SELECT EXISTS (SELECT FROM dataset_mentions WHERE version_uuid = %(version)s)

-- name: affected/writers
-- The runs that some versions name.
SELECT run_uuid AS run, uuid AS version
FROM dataset_versions
WHERE uuid = ANY (%(versions)s) AND run_uuid IS NOT NULL
UNION
SELECT run_uuid, version_uuid
FROM dataset_mentions
WHERE version_uuid = ANY (%(versions)s) AND role = output_role() AND run_uuid IS NOT NULL
ORDER BY run, version

-- name: affected/written
-- The versions that name some runs, whether they ever became current or not, in the order of their ids. A version that a reader made
-- names none: no mention of it is one of an output. Of a purged run only mentions are left.
SELECT named.run, named.version, EXISTS (SELECT FROM dataset_versions WHERE uuid = named.version) AS is_there
FROM (
    SELECT run_uuid AS run, uuid AS version
    FROM dataset_versions
    WHERE run_uuid = ANY (%(runs)s)
    UNION
    SELECT run_uuid, version_uuid
    FROM dataset_mentions
    WHERE run_uuid = ANY (%(runs)s) AND role = output_role()
) AS named
ORDER BY named.version, named.run

-- name: affected/readers
-- The runs that read some versions, in the order of their ids, with what they read. Of a purged run only mentions are left: they are
-- not looked for where nothing was ever purged, as a version may have very many.
SELECT named.run, named.version, EXISTS (SELECT FROM runs WHERE uuid = named.run) AS is_there
FROM (
    SELECT run_uuid AS run, dataset_version_uuid AS version
    FROM runs_input_mapping
    WHERE dataset_version_uuid = ANY (%(versions)s)
    UNION
    SELECT run_uuid, version_uuid
    FROM dataset_mentions
    WHERE version_uuid = ANY (%(versions)s)
      AND role = input_role()
      AND run_uuid IS NOT NULL
      AND is_purged
      AND EXISTS (SELECT FROM dataset_mentions WHERE is_purged)
) AS named
ORDER BY named.run, named.version

-- name: affected/started_by
-- Runs that a run has started, up to a number of them.
SELECT uuid FROM runs WHERE parent_run_uuid = %(run)s ORDER BY uuid LIMIT %(most)s

-- name: affected/first_time
-- When the first of some versions was made, by the events that name it.
SELECT least(
    (SELECT min(created_at) FROM dataset_versions WHERE uuid = ANY (%(versions)s)),
    (SELECT min(event_time) FROM dataset_mentions WHERE version_uuid = ANY (%(versions)s) AND is_purged)
)

-- name: affected/horizon
-- Up to which time retention has deleted anywhere, if that is after some moment, and where it has put raw events.
SELECT
    (SELECT max(before) FROM retention_horizons WHERE before > %(since)s) AS before,
    ARRAY(
        SELECT DISTINCT archive COLLATE "C"
        FROM retention_reports
        WHERE archive IS NOT NULL
        ORDER BY archive COLLATE "C"
    ) AS archives

-- name: affected/described_runs
-- Job, parent and first event of some runs.
SELECT uuid AS run, parent_run_uuid AS parent, namespace_name AS namespace, job_name AS job, created_at AS first_time
FROM runs
WHERE uuid = ANY (%(runs)s)

-- name: affected/dag_runs
-- Of which DAG runs of Airflow some runs are, by the last facet that says so: `airflow` of a task, `airflowDagRun` of a DAG run.
SELECT DISTINCT ON (run) run, namespace, dag, dag_run
FROM (
    SELECT
        stated.run_uuid AS run,
        runs.namespace_name AS namespace,
        coalesce(stated.content #>> '{dag,dag_id}', stated.content #>> '{dagRun,dag_id}') AS dag,
        stated.content #>> '{dagRun,run_id}' AS dag_run,
        stated.event_time,
        stated.facet_uuid
    FROM (
        SELECT run_uuid, event_time, facet_uuid, facet -> name AS content
        FROM run_facet_contents
        WHERE run_uuid = ANY (%(runs)s) AND name IN ('airflow', 'airflowDagRun')
    ) AS stated
    JOIN runs ON runs.uuid = stated.run_uuid
) AS found
WHERE dag IS NOT NULL AND dag_run IS NOT NULL
ORDER BY run, event_time DESC, facet_uuid

-- name: affected/column_lists
-- Between which versions a list of pairs of columns holds: what was made of some versions.
SELECT output_dataset_version_uuid AS made, input_dataset_version_uuid AS origin, pairs_uuid AS pairs
FROM column_lineage_versions
WHERE input_dataset_version_uuid = ANY (%(versions)s)

-- name: affected/column_pairs
-- The pairs of some lists.
SELECT pairs_uuid AS pairs, output_dataset_field_uuid AS made, input_dataset_field_uuid AS origin
FROM column_lineage_pairs
WHERE pairs_uuid = ANY (%(lists)s)

-- name: affected/column_names
-- The names of some columns.
SELECT uuid, name FROM dataset_fields WHERE uuid = ANY (%(columns)s)

-- name: affected/datasets
-- The datasets of some versions.
SELECT DISTINCT dataset_uuid::text FROM dataset_versions WHERE uuid = ANY (%(versions)s)

-- name: affected/begun
-- When the first of some versions was made; null if there is none.
SELECT min(created_at) FROM dataset_versions WHERE uuid = ANY (%(versions)s)
