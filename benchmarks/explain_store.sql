-- Copies all that came of some events, `copies` times: the same under other ids, in other places of the order, and with other names.
-- What many share stays one: facets and their sets, arguments, namespaces, sources.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET work_mem = '512MB';
SET maintenance_work_mem = '1GB';
SET search_path = public;
SET jit = off;

CREATE FUNCTION pg_temp.copied(id uuid, number integer) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$ SELECT md5(id || ' ' || number)::uuid $$;
-- Time and rank stay, the digest is another.
CREATE FUNCTION pg_temp.copied(event bytea, number integer) RETURNS bytea LANGUAGE sql IMMUTABLE
AS $$ SELECT substr(event, 1, 10) || decode(md5(event || ' '::bytea || number::text::bytea), 'hex') || substr(event, 27) $$;

-- Names belong to what has them alone: so does the name of its job to a run.
SELECT format(
    'INSERT INTO %I (%s) SELECT %s FROM %I AS kept CROSS JOIN generate_series(1, %s) AS number',
    copied.name,
    string_agg(format('%I', attname), ', ' ORDER BY attnum),
    string_agg(
        CASE
            WHEN atttypid = 'uuid'::regtype AND attname <> ALL (copied.shared) THEN format('pg_temp.copied(kept.%I, number)', attname)
            WHEN atttypid = 'bytea'::regtype THEN format('pg_temp.copied(kept.%I, number)', attname)
            WHEN attname = ANY (copied.names) THEN format('kept.%I || %L || number', attname, ' ')
            ELSE format('kept.%I', attname)
        END,
        ', ' ORDER BY attnum
    ),
    copied.name,
    :copies
)
FROM (
    SELECT
        name,
        '{namespace_uuid,source_uuid,run_args_uuid,facets_uuid,io_facets_uuid,run_facets_uuid,job_facets_uuid,lineage_uuid}'::text[] AS shared,
        names
    FROM (
        VALUES
            ('jobs', '{name,simple_name}'::text[]), ('job_versions', '{job_name}'), ('job_versions_io_mapping', '{}'),
            ('job_version_timeline', '{}'), ('job_edges', '{}'), ('runs', '{job_name}'), ('run_states', '{}'), ('event_ledger', '{}'),
            ('datasets', '{name,physical_name}'), ('dataset_names', '{name}'), ('dataset_symlinks', '{name}'), ('dataset_fields', '{}'),
            ('dataset_schemas', '{}'), ('dataset_schema_versions', '{}'), ('dataset_schema_histories', '{}'),
            ('dataset_schema_verdicts', '{}'), ('dataset_versions', '{dataset_name}'), ('dataset_version_timeline', '{}'),
            ('dataset_mentions', '{dataset_name}'), ('runs_input_mapping', '{}')
    ) AS listed (name, names)
) AS copied
JOIN pg_attribute ON attrelid = copied.name::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''
GROUP BY copied.name
\gexec

ANALYZE;
