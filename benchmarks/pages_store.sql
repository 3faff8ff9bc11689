-- What pages show beside a graph, in a store that graph_store.sql has made: the names of its datasets, a version of each with twelve
-- columns, and eighty runs of each job.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET search_path = public;

INSERT INTO dataset_symlinks (dataset_uuid, name, namespace_uuid, type, is_primary, created_at, updated_at)
SELECT uuid, name, namespace_uuid, 'DB_TABLE', true, now(), now() FROM datasets;

INSERT INTO runs (uuid, created_at, updated_at, job_uuid, namespace_name, job_name, current_run_state, started_at, ended_at, transitioned_at)
SELECT
    md5('run of pages ' || number || ' ' || job.name)::uuid,
    happened, happened, job.uuid, job.namespace_name, job.name,
    CASE WHEN number % 20 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
    happened, happened + interval '5 minutes', happened + interval '5 minutes'
FROM jobs AS job
CROSS JOIN generate_series(1, 80) AS number
CROSS JOIN LATERAL (SELECT timestamptz '2026-08-01Z' + number * interval '1 day' + hashtext(job.name) % 3600 * interval '1 second') AS run (happened);

INSERT INTO dataset_versions (uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name)
SELECT md5('page version ' || name)::uuid, now(), uuid, md5('page version ' || name)::uuid, NULL, columns.listed, namespace_name, name
FROM datasets
CROSS JOIN (
    SELECT jsonb_agg(jsonb_build_object('name', 'column_' || number, 'type', 'INTEGER')) AS listed FROM generate_series(1, 12) AS number
) AS columns;
UPDATE datasets SET current_version_uuid = md5('page version ' || name)::uuid;

INSERT INTO dataset_fields (uuid, type, created_at, updated_at, dataset_uuid, name)
SELECT md5('field ' || number || ' ' || dataset.name)::uuid, 'INTEGER', now(), now(), dataset.uuid, 'column_' || number
FROM datasets AS dataset
CROSS JOIN generate_series(1, 12) AS number;

ANALYZE;
