-- A store that only has what graphs are made of, by generate_series. `datasets` and `jobs` are their numbers, a job for eight datasets.
--
-- Job j writes the datasets 8j to 8j + 7, and reads twelve others, some of which many read: dataset d in proportion to d to the power of
-- -2/3. It has eight versions in three years. Of its twenty edges the even ones hold in every other version, the odd ones in the rest, so
-- that each has four spans, and half of them hold at any moment. Rows lie in the order of their events, as those of a store do that has
-- grown. The first quarter of the jobs describe ten columns of each output, which come from two inputs each. Each twentieth dataset
-- had another name in the first half, each fiftieth was dropped once, and comes again. The first tenth of all moments once more are
-- those of job 0 in its last version, as of a job that runs every few minutes. One more dataset, the hub, is read by four of five jobs.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET work_mem = '512MB';
SET maintenance_work_mem = '1GB';
SET search_path = public;
SET jit = off;

CREATE TEMP TABLE later AS
SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
FROM pg_index
WHERE indrelid = 'job_edges'::regclass AND NOT indisprimary;
SELECT format('DROP INDEX %s', name) FROM later \gexec
SELECT conname, pg_get_constraintdef(oid) AS definition FROM pg_constraint
WHERE conrelid = 'job_edges'::regclass AND contype = 'p' \gset key_
ALTER TABLE job_edges DROP CONSTRAINT :"key_conname";

CREATE FUNCTION pg_temp.dataset_of(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5('dataset ' || number)::uuid $$;
CREATE FUNCTION pg_temp.job_of(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5('job ' || number)::uuid $$;
CREATE FUNCTION pg_temp.alias_of(number bigint) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5('alias ' || number)::uuid $$;
CREATE FUNCTION pg_temp.lineage_of(job bigint, slot integer) RETURNS uuid LANGUAGE sql IMMUTABLE
AS $$ SELECT md5('lineage ' || job || ' ' || slot)::uuid $$;
CREATE FUNCTION pg_temp.read_by(job bigint, slot integer, datasets bigint) RETURNS bigint LANGUAGE sql IMMUTABLE
AS $$ SELECT floor(datasets * ((hashint8(job * 32 + slot)::bigint + 2147483648) / 4294967296.0::float8) ^ 3)::bigint $$;

INSERT INTO namespaces (uuid, created_at, updated_at, name) VALUES (md5('namespace')::uuid, now(), now(), 'bench');

INSERT INTO datasets (uuid, type, created_at, updated_at, namespace_uuid, name, physical_name, namespace_name)
SELECT pg_temp.dataset_of(d), 'DB_TABLE', now(), now(), md5('namespace')::uuid, 'table_' || d, 'table_' || d, 'bench'
FROM generate_series(0, :datasets - 1) AS d
UNION ALL
SELECT key_uuid('datasets', 'bench', name), 'DB_TABLE', now(), now(), md5('namespace')::uuid, name, name, 'bench'
FROM (VALUES ('hub')) AS hub (name);

-- Answers find a dataset by the key of its name: those that most jobs read can be asked for.
INSERT INTO identity_map (entity, key_uuid, uuid)
SELECT 'datasets', key_uuid('datasets', 'bench', 'table_' || d), pg_temp.dataset_of(d)
FROM generate_series(0, :datasets / 1000 - 1) AS d
UNION ALL
SELECT 'datasets', pg_temp.alias_of(d), pg_temp.dataset_of(d)
FROM generate_series(0, :datasets - 1, 20) AS d;

INSERT INTO jobs (uuid, type, created_at, updated_at, namespace_uuid, simple_name, name, namespace_name)
SELECT pg_temp.job_of(j), 'BATCH', now(), now(), md5('namespace')::uuid, 'job_' || j, 'job_' || j, 'bench'
FROM generate_series(0, :jobs - 1) AS j;

-- places: when each version of each job came, in the order of time.
CREATE TEMP TABLE places AS
SELECT
    version,
    job,
    first_order_at(happened) || decode(md5(version || ' ' || job) || 'ff', 'hex') AS event_order,
    CASE version
        WHEN 7 THEN '\xff'::bytea
        ELSE first_order_at(happened + '137 days') || decode(md5(version + 1 || ' ' || job) || 'ff', 'hex')
    END AS next_order
FROM (
    SELECT
        version,
        place * 7919 % :jobs AS job,
        timestamptz '2023-11-01 00:00Z' + version * interval '137 days' + place * (interval '137 days' / :jobs) AS happened
    FROM generate_series(0, 7) AS version
    CROSS JOIN generate_series(0::bigint, :jobs - 1) AS place
) AS made;

INSERT INTO job_version_timeline (job_uuid, event_order, run_uuid, job_version_uuid)
SELECT pg_temp.job_of(job), event_order, md5('run ' || version || ' ' || job)::uuid, md5('version ' || version || ' ' || job)::uuid
FROM places
UNION ALL
SELECT
    pg_temp.job_of(0),
    first_order_at(timestamptz '2026-06-18 00:00Z' + number * (interval '130 days' / (:jobs * 8 / 10)))
        || decode(md5('hot ' || number) || 'ff', 'hex'),
    md5('hot ' || number)::uuid,
    md5('version 7 0')::uuid
FROM generate_series(1, :jobs * 8 / 10) AS number;

INSERT INTO job_edges (job_uuid, role, name_uuid, lineage_uuid, since_event, until_event)
SELECT
    pg_temp.job_of(job),
    CASE WHEN slot < 8 THEN output_role() ELSE input_role() END,
    CASE WHEN dataset % 20 = 0 AND version < 4 THEN pg_temp.alias_of(dataset) ELSE pg_temp.dataset_of(dataset) END,
    mention.lineage_uuid,
    event_order,
    next_order
FROM places
CROSS JOIN LATERAL (
    SELECT DISTINCT ON (dataset) slot, dataset
    FROM generate_series(version % 2, 19, 2) AS slot
    CROSS JOIN LATERAL (
        SELECT CASE WHEN slot < 8 THEN job * 8 + slot ELSE pg_temp.read_by(job, slot, :datasets) END
    ) AS other (dataset)
    ORDER BY dataset, slot
) AS edge
CROSS JOIN LATERAL (
    SELECT '00000000-0000-0000-0000-000000000000'::uuid AS lineage_uuid
    UNION ALL
    SELECT pg_temp.lineage_of(job, slot)
    WHERE slot < 8 AND job < :jobs / 4
) AS mention
ORDER BY version, event_order;

INSERT INTO job_edges (job_uuid, role, name_uuid, lineage_uuid, since_event, until_event)
SELECT
    pg_temp.job_of(job),
    input_role(),
    key_uuid('datasets', 'bench', 'hub'),
    '00000000-0000-0000-0000-000000000000',
    event_order,
    '\xff'
FROM places
WHERE version = 0 AND job < :jobs * 4 / 5;

INSERT INTO dataset_column_lineages (uuid, pairs)
SELECT
    pg_temp.lineage_of(job, slot),
    jsonb_agg(jsonb_build_object(
        'output', 'column_' || number, 'output_type', 'VARCHAR', 'dataset', pg_temp.dataset_of(input), 'field', 'column_' || number
    ))
FROM generate_series(0::bigint, :jobs / 4 - 1) AS job
CROSS JOIN generate_series(0, 7) AS slot
CROSS JOIN LATERAL (
    SELECT DISTINCT pg_temp.read_by(job, 8 + slot % 2 + 2 * ((slot / 2 + turn) % 6), :datasets) AS input
    FROM generate_series(0, 1) AS turn
) AS taken
CROSS JOIN generate_series(0, 9) AS number
GROUP BY job, slot;

INSERT INTO column_lineage_inputs (lineage_uuid, name_uuid)
SELECT DISTINCT uuid, (pair ->> 'dataset')::uuid FROM dataset_column_lineages CROSS JOIN jsonb_array_elements(pairs) AS pair;

INSERT INTO dataset_fields (uuid, type, created_at, updated_at, dataset_uuid, name)
SELECT md5('field ' || d || ' ' || number)::uuid, 'VARCHAR', now(), now(), pg_temp.dataset_of(d), 'column_' || number
FROM generate_series(0, :datasets / 1000 - 1) AS d
CROSS JOIN generate_series(0, 9) AS number;

-- Between two versions of its job, of which the second begins some months later.
INSERT INTO dataset_endings (name_uuid, event_order)
SELECT
    pg_temp.dataset_of(d),
    first_order_at(timestamptz '2023-11-01 00:00Z' + interval '137 days' * (d % 7 + 0.5))
        || decode(md5('ending ' || d) || 'ff', 'hex')
FROM generate_series(7, :datasets - 1, 50) AS d;

SELECT format('ALTER TABLE job_edges ADD CONSTRAINT %I %s', :'key_conname', :'key_definition') \gexec
SELECT definition FROM later \gexec
VACUUM ANALYZE;
CHECKPOINT;
