-- name: views/column_lineage
-- Which input column an output column was made from, a row for each pair of dataset versions.
-- readers: Marquez' server
-- reads: column_lineage_lists, column_lineage_versions, column_pairs_to_move, dataset_fields
--
-- It has the columns of Marquez' table. Lists are found by their versions, or by the datasets of columns; those that the long
-- migration `column-pairs` has not reached, by the columns themselves. Each branch is one table as it is: only such branches are
-- searched by index for the rows of a join.
CREATE VIEW column_lineage AS
SELECT
    versions.output_dataset_version_uuid,
    output_field.uuid AS output_dataset_field_uuid,
    versions.input_dataset_version_uuid,
    input_field.uuid AS input_dataset_field_uuid,
    pair.transformation_description,
    pair.transformation_type::varchar(255) AS transformation_type,
    coalesce(pair.created_at, versions.created_at) AT TIME ZONE 'UTC' AS created_at,
    coalesce(pair.updated_at, versions.updated_at) AT TIME ZONE 'UTC' AS updated_at
FROM column_lineage_versions AS versions
JOIN (
    SELECT
        pairs_uuid,
        output_dataset_uuid AS output_key,
        input_dataset_uuid AS input_key,
        output_field_uuids,
        input_field_uuids,
        transformation_descriptions,
        transformation_types,
        first_stated_at,
        last_stated_at
    FROM column_lineage_lists
    UNION ALL
    SELECT
        pairs_uuid,
        output_dataset_field_uuid,
        input_dataset_field_uuid,
        ARRAY[output_dataset_field_uuid],
        ARRAY[input_dataset_field_uuid],
        ARRAY[transformation_description],
        ARRAY[transformation_type::text],
        ARRAY[created_at],
        ARRAY[updated_at]
    FROM column_pairs_to_move
) AS listed USING (pairs_uuid)
CROSS JOIN LATERAL unnest(
    listed.output_field_uuids,
    listed.input_field_uuids,
    listed.transformation_descriptions,
    listed.transformation_types,
    listed.first_stated_at,
    listed.last_stated_at
) AS pair (output_field_uuid, input_field_uuid, transformation_description, transformation_type, created_at, updated_at)
JOIN dataset_fields AS output_field
    ON output_field.uuid = pair.output_field_uuid
   AND listed.output_key = ANY (ARRAY[output_field.uuid, output_field.dataset_uuid])
JOIN dataset_fields AS input_field
    ON input_field.uuid = pair.input_field_uuid
   AND listed.input_key = ANY (ARRAY[input_field.uuid, input_field.dataset_uuid]);

COMMENT ON VIEW column_lineage IS 'Which input column an output column was made from, a row for each pair of dataset versions.';

-- name: views/column_lineage_pairs
-- The pairs of columns of each list.
-- readers: every reader of lists
-- reads: column_lineage_lists, column_pairs_to_move
--
-- It is searched by index for lists, and not for columns.
CREATE VIEW column_lineage_pairs AS
SELECT
    listed.pairs_uuid,
    pair.output_field_uuid AS output_dataset_field_uuid,
    pair.input_field_uuid AS input_dataset_field_uuid,
    pair.transformation_description,
    pair.transformation_type::varchar(255) AS transformation_type,
    pair.created_at,
    pair.updated_at
FROM column_lineage_lists AS listed
CROSS JOIN LATERAL unnest(
    listed.output_field_uuids,
    listed.input_field_uuids,
    listed.transformation_descriptions,
    listed.transformation_types,
    listed.first_stated_at,
    listed.last_stated_at
) AS pair (output_field_uuid, input_field_uuid, transformation_description, transformation_type, created_at, updated_at)
UNION ALL
SELECT
    pairs_uuid,
    output_dataset_field_uuid,
    input_dataset_field_uuid,
    transformation_description,
    transformation_type,
    created_at,
    updated_at
FROM column_pairs_to_move;

COMMENT ON VIEW column_lineage_pairs IS 'The pairs of columns of each list.';

-- name: views/dataset_facet_contents
-- The facets of datasets with their contents, a row a mention.
-- readers: the view `dataset_facets` and the reading of facets
-- reads: dataset_mentions, facet_sets, facets
--
-- An input facet has the type INPUT and an output facet the type OUTPUT; what the others are follows from their names.
CREATE VIEW dataset_facet_contents AS
SELECT
    mention.dataset_uuid,
    mention.version_uuid,
    mention.run_uuid,
    mention.event_time,
    mention.lineage_event_type,
    coalesce(named.type, dataset_facet_type(content.name)) AS type,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM dataset_mentions AS mention
CROSS JOIN LATERAL (
    VALUES
        (mention.facets_uuid, NULL),
        (mention.io_facets_uuid, CASE mention.role WHEN input_role() THEN 'INPUT' ELSE 'OUTPUT' END)
) AS named (set_uuid, type)
JOIN facet_sets ON facet_sets.uuid = named.set_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE NOT mention.is_purged;

COMMENT ON VIEW dataset_facet_contents IS 'The facets of datasets with their contents, a row for each mention that has one.';

-- name: views/dataset_facets
-- The facets of datasets, a row an event and mention.
-- readers: who asks for facets by SQL
-- reads: dataset_facet_contents
CREATE VIEW dataset_facets AS
SELECT
    found.event_time AS created_at,
    found.dataset_uuid,
    found.version_uuid AS dataset_version_uuid,
    found.run_uuid,
    found.event_time AS lineage_event_time,
    found.lineage_event_type,
    found.type::varchar(64) AS type,
    found.name,
    found.facet
FROM dataset_facet_contents AS found;

COMMENT ON VIEW dataset_facets IS 'The facets of datasets, a row an event and mention.';

-- name: views/dataset_facets_view
-- The facets of datasets, under the name by which Marquez reads them.
-- readers: Marquez' server
-- reads: dataset_facets
CREATE VIEW dataset_facets_view AS
SELECT created_at, dataset_uuid, dataset_version_uuid, run_uuid, lineage_event_time, lineage_event_type, type, name, facet
FROM dataset_facets;

COMMENT ON VIEW dataset_facets_view IS 'The facets of datasets, under the name by which Marquez reads them.';

-- name: views/dataset_schema_versions_field_mapping
-- The columns of each schema version.
-- readers: every reader of columns
-- reads: dataset_schema_versions, schema_fields_to_move
--
-- One table and a function: such a view is searched by index for the schema versions of a join. Those that the long migration
-- `schema-fields` has not reached are looked up one by one.
CREATE VIEW dataset_schema_versions_field_mapping AS
SELECT version.uuid AS dataset_schema_version_uuid, listed.field_uuid AS dataset_field_uuid
FROM dataset_schema_versions AS version
CROSS JOIN LATERAL unnest(
    coalesce(
        version.field_uuids,
        ARRAY(
            SELECT waiting.dataset_field_uuid
            FROM schema_fields_to_move AS waiting
            WHERE waiting.dataset_schema_version_uuid = version.uuid
        )
    )
) AS listed (field_uuid);

COMMENT ON VIEW dataset_schema_versions_field_mapping IS 'The columns of each schema version.';

-- name: views/dataset_version_facets
-- The facets of each dataset version: the last of each name.
-- readers: who asks for facets by SQL
-- reads: dataset_facets
--
-- Of two facets of one moment a digest decides, as the order of jsonb depends on the collation of the database.
CREATE VIEW dataset_version_facets AS
SELECT DISTINCT ON (dataset_version_uuid, name) dataset_version_uuid, name, facet
FROM dataset_facets
WHERE dataset_version_uuid IS NOT NULL
ORDER BY
    dataset_version_uuid,
    name,
    lineage_event_time DESC,
    created_at DESC,
    CASE
        WHEN count(*) OVER (PARTITION BY dataset_version_uuid, name, lineage_event_time, created_at) > 1
        THEN sha256(convert_to(facet::text, 'UTF8'))
    END DESC;

COMMENT ON VIEW dataset_version_facets IS 'The facets of each dataset version: the last word of each.';

-- name: views/dataset_version_fields
-- The columns of each dataset version, by the mapping that the flag of the migration `schema-versions` chooses.
-- readers: every reader of columns
-- reads: dataset_fields, dataset_schema_versions_field_mapping, dataset_versions, dataset_versions_field_mapping, migrations
--
-- Until the cut-over of that migration it is the old mapping, then the version's schema version, of whose columns those of the
-- version's own dataset are its. Only the branch that the flag chooses is executed.
CREATE OR REPLACE VIEW dataset_version_fields AS
SELECT mapping.dataset_version_uuid, mapping.dataset_field_uuid
FROM dataset_versions_field_mapping AS mapping
WHERE NOT coalesce((SELECT reads_new FROM migrations WHERE name = 'schema-versions'), false)
UNION ALL
SELECT dataset_versions.uuid, mapping.dataset_field_uuid
FROM dataset_versions
JOIN dataset_schema_versions_field_mapping AS mapping USING (dataset_schema_version_uuid)
JOIN dataset_fields AS field
    ON field.uuid = mapping.dataset_field_uuid AND field.dataset_uuid = dataset_versions.dataset_uuid
WHERE coalesce((SELECT reads_new FROM migrations WHERE name = 'schema-versions'), false);

-- name: views/datasets_view
-- Datasets that are shown, once under each of their names.
-- readers: Marquez' server
-- reads: dataset_symlinks, datasets, namespaces
CREATE VIEW datasets_view AS
SELECT
    dataset.uuid,
    dataset.type,
    dataset.created_at,
    dataset.updated_at,
    CASE WHEN named.is_own THEN dataset.namespace_uuid ELSE namespace.uuid END AS namespace_uuid,
    dataset.source_uuid,
    CASE WHEN named.is_own THEN dataset.name ELSE symlink.name END AS name,
    ARRAY[ROW(namespace.name, symlink.name)::dataset_name] AS dataset_symlinks,
    dataset.physical_name,
    dataset.description,
    dataset.current_version_uuid,
    dataset.last_modified_at,
    CASE WHEN named.is_own THEN dataset.namespace_name ELSE namespace.name END AS namespace_name,
    dataset.source_name,
    dataset.is_deleted
FROM datasets AS dataset
JOIN dataset_symlinks AS symlink ON symlink.dataset_uuid = dataset.uuid
JOIN namespaces AS namespace ON namespace.uuid = symlink.namespace_uuid
CROSS JOIN LATERAL (
    SELECT dataset.namespace_name = namespace.name AND dataset.name = symlink.name
) AS named (is_own)
WHERE dataset.is_hidden IS FALSE;

COMMENT ON VIEW datasets_view IS 'Datasets that are shown, once under each of their names. Marquez reads it.';

-- name: views/job_facet_contents
-- The facets of jobs with their contents, a row an event.
-- readers: the view `job_facets` and the reading of facets
-- reads: event_ledger, facet_sets, facets, runs
--
-- Those of a run belong to the version that the run has made, those of a job event to its own. Each branch is one table as it
-- is: only such branches are searched by index for the runs or the versions of a join. So runs bring their version, and the
-- ledger is read once more for their events.
CREATE VIEW job_facet_contents AS
SELECT
    coalesce(of_run.job_uuid, made.job_uuid) AS job_uuid,
    made.job_version_uuid,
    made.run_uuid,
    coalesce(of_run.event_time, made.event_time) AS event_time,
    of_run.lineage_event_type,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM (
    SELECT
        true AS is_run,
        uuid AS run_uuid,
        job_version_uuid,
        NULL::uuid AS run_of_event,
        NULL::uuid AS job_uuid,
        NULL::timestamptz AS event_time,
        NULL::uuid AS set_uuid
    FROM runs
    UNION ALL
    SELECT
        false AS is_run,
        NULL::uuid AS run_uuid,
        job_version_uuid,
        run_uuid AS run_of_event,
        job_uuid,
        event_time,
        job_facets_uuid AS set_uuid
    FROM event_ledger
) AS made
LEFT JOIN event_ledger AS of_run ON of_run.run_uuid = made.run_uuid
JOIN facet_sets ON facet_sets.uuid = coalesce(of_run.job_facets_uuid, made.set_uuid)
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE made.is_run OR made.run_of_event IS NULL;

COMMENT ON VIEW job_facet_contents IS 'The facets of jobs with their contents, a row for each event that has one.';

-- name: views/job_facets
-- The facets of jobs, a row an event.
-- readers: who asks for facets by SQL
-- reads: job_facet_contents
CREATE VIEW job_facets AS
SELECT
    found.event_time AS created_at,
    found.job_uuid,
    found.run_uuid,
    found.event_time AS lineage_event_time,
    found.lineage_event_type,
    found.name,
    found.facet,
    found.job_version_uuid
FROM job_facet_contents AS found;

COMMENT ON VIEW job_facets IS 'The facets of jobs, a row an event.';

-- name: views/job_facets_of_events
-- The facets that events give to jobs, with their contents, a row an event.
-- readers: the view `job_facets_view`
-- reads: event_ledger, facet_sets, facets
--
-- A job event has made the version that it names; what version the run of another event has made, this view does not say.
CREATE VIEW job_facets_of_events AS
SELECT
    ledger.job_uuid,
    ledger.job_version_uuid,
    ledger.run_uuid,
    ledger.event_time,
    ledger.lineage_event_type,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM event_ledger AS ledger
JOIN facet_sets ON facet_sets.uuid = ledger.job_facets_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid;

COMMENT ON VIEW job_facets_of_events IS 'The facets that events give to jobs, with their contents.';

-- name: views/job_facets_view
-- The facets of jobs, under the name by which Marquez reads them.
-- readers: Marquez' server
-- reads: job_facets_of_events
--
-- Many runs are read at a time: without the versions, which would have it read those of all runs.
CREATE VIEW job_facets_view AS
SELECT
    event_time AS created_at,
    job_uuid,
    run_uuid,
    event_time AS lineage_event_time,
    lineage_event_type,
    name,
    facet
FROM job_facets_of_events;

COMMENT ON VIEW job_facets_view IS 'The facets of jobs, under the name by which Marquez reads them.';

-- name: views/job_version_facets
-- The facets of each job version: the last of each name.
-- readers: who asks for facets by SQL
-- reads: job_facets
--
-- Of two facets of one moment a digest decides, as the order of jsonb depends on the collation of the database.
CREATE VIEW job_version_facets AS
SELECT DISTINCT ON (job_version_uuid, name) job_version_uuid, name, facet
FROM job_facets
WHERE job_version_uuid IS NOT NULL
ORDER BY
    job_version_uuid,
    name,
    lineage_event_time DESC,
    created_at DESC,
    CASE
        WHEN count(*) OVER (PARTITION BY job_version_uuid, name, lineage_event_time, created_at) > 1
        THEN sha256(convert_to(facet::text, 'UTF8'))
    END DESC;

COMMENT ON VIEW job_version_facets IS 'The facets of each job version: the last word of each.';

-- name: views/jobs_view
-- Jobs that are shown: not hidden, and not replaced by another name.
-- readers: Marquez' server
-- reads: jobs
CREATE VIEW jobs_view AS
SELECT
    job.uuid,
    job.name,
    job.namespace_name,
    job.simple_name,
    job.parent_job_uuid,
    parent.name::text AS parent_job_name,
    job.type,
    job.created_at,
    job.updated_at,
    job.namespace_uuid,
    job.description,
    job.current_version_uuid,
    job.current_job_context_uuid,
    job.current_location,
    job.current_inputs,
    job.symlink_target_uuid,
    job.parent_job_uuid::character(36) AS parent_job_uuid_string,
    job.aliases,
    job.current_run_uuid
FROM jobs AS job
LEFT JOIN jobs AS parent ON parent.uuid = job.parent_job_uuid
WHERE job.is_hidden IS FALSE AND job.symlink_target_uuid IS NULL;

COMMENT ON VIEW jobs_view IS 'Jobs that are shown: not hidden, and not replaced by another name. Marquez reads it.';

-- name: views/lineage_events_by_type_hourly_view
-- How many events of each type happened in each hour. Normalization refreshes it hourly.
-- readers: Marquez' server
-- reads: lineage_events
--
-- For that no hour may be there twice.
CREATE MATERIALIZED VIEW lineage_events_by_type_hourly_view AS
SELECT
    date_trunc('hour', event_time) AS start_interval,
    count(*) FILTER (WHERE event_type = 'FAIL') AS fail,
    count(*) FILTER (WHERE event_type = 'START') AS start,
    count(*) FILTER (WHERE event_type = 'COMPLETE') AS complete,
    count(*) FILTER (WHERE event_type = 'ABORT') AS abort
FROM lineage_events
GROUP BY date_trunc('hour', event_time);

CREATE UNIQUE INDEX lineage_events_by_type_hourly_view_for_start_interval_idx
ON lineage_events_by_type_hourly_view (start_interval);

COMMENT ON MATERIALIZED VIEW lineage_events_by_type_hourly_view
IS 'How many events of each type happened in each hour. Marquez reads it, normalization refreshes it.';

-- name: views/run_facet_contents
-- The facets of runs with their contents, a row an event.
-- readers: the view `run_facets` and the reading of facets
-- reads: event_ledger, facet_sets, facets, run_facets_kept_once
--
-- A facet that is kept once a run has a row for the first event that has it. Each branch is one table as it is: only such
-- branches are searched by index for the runs of a join.
CREATE VIEW run_facet_contents AS
SELECT
    stated.run_uuid,
    stated.event_time,
    stated.lineage_event_type::varchar(64) AS lineage_event_type,
    stated.event_order,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM (
    SELECT
        run_uuid,
        event_time,
        coalesce(lineage_event_type, '') AS lineage_event_type,
        NULL::bytea AS event_order,
        run_facets_uuid AS set_uuid,
        NULL::uuid AS facet_uuid
    FROM event_ledger
    UNION ALL
    SELECT run_uuid, event_time, lineage_event_type, first_event AS event_order, NULL::uuid AS set_uuid, facet_uuid
    FROM run_facets_kept_once
) AS stated
LEFT JOIN facet_sets ON facet_sets.uuid = stated.set_uuid
CROSS JOIN LATERAL unnest(coalesce(facet_sets.facets, ARRAY[stated.facet_uuid])) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid;

COMMENT ON VIEW run_facet_contents IS 'The facets of runs with their contents; event_order where one is kept once a run.';

-- name: views/run_facets
-- The facets of runs, a row an event.
-- readers: who asks for facets by SQL
-- reads: run_facet_contents
CREATE VIEW run_facets AS
SELECT
    found.event_time AS created_at,
    found.run_uuid,
    found.event_time AS lineage_event_time,
    found.lineage_event_type,
    found.name,
    found.facet
FROM run_facet_contents AS found;

COMMENT ON VIEW run_facets IS 'The facets of runs, a row an event; those that are kept once a run, a row of its first event.';

-- name: views/run_facets_view
-- The facets of runs, under the name by which Marquez reads them.
-- readers: Marquez' server
-- reads: run_facets
CREATE VIEW run_facets_view AS
SELECT created_at, run_uuid, lineage_event_time, lineage_event_type, name, facet
FROM run_facets;

COMMENT ON VIEW run_facets_view IS 'The facets of runs, under the name by which Marquez reads them.';

-- name: views/runs_view
-- Runs under the name that their job has now.
-- readers: Marquez' server
-- reads: jobs, jobs_view, runs
CREATE VIEW runs_view AS
SELECT
    run.uuid,
    run.created_at,
    run.updated_at,
    run.parent_run_uuid,
    run.job_version_uuid,
    run.run_args_uuid,
    run.nominal_start_time,
    run.nominal_end_time,
    run.current_run_state,
    run.start_run_state_uuid,
    run.end_run_state_uuid,
    run.external_id,
    run.location,
    run.transitioned_at,
    run.started_at,
    run.ended_at,
    run.job_context_uuid,
    run.job_uuid,
    coalesce(target.name, job.name) AS job_name,
    coalesce(target.namespace_name, job.namespace_name) AS namespace_name
FROM runs AS run
JOIN jobs AS job ON job.uuid = run.job_uuid
LEFT JOIN jobs_view AS target ON target.uuid = job.symlink_target_uuid;

COMMENT ON VIEW runs_view IS 'Runs under the name that their job has now. Marquez reads it.';
