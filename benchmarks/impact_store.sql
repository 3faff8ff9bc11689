-- A store of layers, by generate_series: `layers` of `width` datasets of ten columns each. The job of a dataset reads the one of the
-- same place in the layer before, and, in one of `every` places, another of that layer; it says from which columns its own come.
-- So what a change reaches grows with each layer, by a half where `every` is 2, until it has met the width.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET search_path = public;
SET jit = off;

CREATE FUNCTION pg_temp.name_of(layer bigint, place bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT 'table_' || layer || '_' || place $$;
CREATE FUNCTION pg_temp.dataset_of(layer bigint, place bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
AS $$ SELECT key_uuid('datasets', 'bench', 'table_' || layer || '_' || place) $$;
CREATE FUNCTION pg_temp.job_of(layer bigint, place bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
AS $$ SELECT md5('job ' || layer || ' ' || place)::uuid $$;
CREATE FUNCTION pg_temp.lineage_of(layer bigint, place bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
AS $$ SELECT md5('lineage ' || layer || ' ' || place)::uuid $$;

INSERT INTO namespaces (uuid, created_at, updated_at, name) VALUES (md5('namespace')::uuid, now(), now(), 'bench');

CREATE TEMP TABLE places AS
SELECT layer, place, pg_temp.dataset_of(layer, place) AS dataset
FROM generate_series(0::bigint, :layers - 1) AS layer
CROSS JOIN generate_series(0::bigint, :width - 1) AS place;

INSERT INTO datasets (uuid, type, created_at, updated_at, namespace_uuid, name, physical_name, namespace_name)
SELECT dataset, 'DB_TABLE', now(), now(), md5('namespace')::uuid, pg_temp.name_of(layer, place), pg_temp.name_of(layer, place), 'bench'
FROM places;

INSERT INTO dataset_fields (uuid, type, created_at, updated_at, dataset_uuid, name)
SELECT md5('field ' || dataset || ' ' || number)::uuid, 'VARCHAR', now(), now(), dataset, 'column_' || number
FROM places
CROSS JOIN generate_series(0, 9) AS number;

INSERT INTO jobs (uuid, type, created_at, updated_at, namespace_uuid, simple_name, name, namespace_name)
SELECT pg_temp.job_of(layer, place), 'BATCH', now(), now(), md5('namespace')::uuid, 'job_' || layer || '_' || place,
    'job_' || layer || '_' || place, 'bench'
FROM places
WHERE layer > 0;

-- reads: which dataset each job reads.
CREATE TEMP TABLE reads AS
SELECT DISTINCT layer, place, pg_temp.dataset_of(layer - 1, other) AS input
FROM places
CROSS JOIN LATERAL (
    SELECT place AS other
    UNION ALL
    SELECT (place * 7 + layer * 13 + 1) % :width WHERE place % :every = 0
) AS chosen
WHERE layer > 0;

CREATE TEMP TABLE orders AS
SELECT layer, place, first_order_at(timestamptz '2026-01-01Z' + layer * interval '1 hour') || decode(md5(layer || ' ' || place) || 'ff', 'hex') AS event_order
FROM places
WHERE layer > 0;

INSERT INTO job_version_timeline (job_uuid, event_order, run_uuid, job_version_uuid)
SELECT pg_temp.job_of(layer, place), event_order, md5('run ' || layer || ' ' || place)::uuid, md5('version ' || layer || ' ' || place)::uuid
FROM orders;

INSERT INTO job_edges (job_uuid, role, name_uuid, lineage_uuid, since_event, until_event)
SELECT pg_temp.job_of(layer, place), input_role(), input, '00000000-0000-0000-0000-000000000000', event_order, '\xff'
FROM reads
JOIN orders USING (layer, place);

INSERT INTO job_edges (job_uuid, role, name_uuid, lineage_uuid, since_event, until_event)
SELECT pg_temp.job_of(layer, place), output_role(), pg_temp.dataset_of(layer, place), lineage_uuid, event_order, '\xff'
FROM orders
CROSS JOIN LATERAL (
    VALUES ('00000000-0000-0000-0000-000000000000'::uuid), (pg_temp.lineage_of(layer, place))
) AS described (lineage_uuid);

INSERT INTO dataset_column_lineages (uuid, pairs)
SELECT
    pg_temp.lineage_of(layer, place),
    jsonb_agg(jsonb_build_object(
        'output', 'column_' || number, 'output_type', 'VARCHAR', 'dataset', input, 'field', 'column_' || number
    ))
FROM reads
CROSS JOIN generate_series(0, 9) AS number
GROUP BY layer, place;

INSERT INTO column_lineage_inputs (lineage_uuid, name_uuid)
SELECT DISTINCT pg_temp.lineage_of(layer, place), input FROM reads;

VACUUM ANALYZE;
CHECKPOINT;
