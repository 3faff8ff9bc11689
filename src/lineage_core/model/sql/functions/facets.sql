-- Facets, stored or not.

-- name: stored_facets
-- The facets of a `facets` object as facet tables store them: each an object with its one key. Null facets say nothing, and
-- those that old Spark listeners could not read are left out. Agrees with lineage_core.facet_rows.stored_facets.
CREATE OR REPLACE FUNCTION stored_facets(facets jsonb) RETURNS TABLE (name text, facet jsonb)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT kept.name, jsonb_build_object(kept.name, said.value)
    FROM jsonb_each(CASE jsonb_typeof(facets) WHEN 'object' THEN facets END) AS said (key, value)
    CROSS JOIN LATERAL (SELECT CASE said.key WHEN 'parentRun' THEN 'parent' ELSE said.key END) AS kept (name)
    WHERE said.value <> 'null' AND ignoring_case(said.key) <> 'spark_unknown';
END;

-- name: facets_of_run
-- The facets of a run: those of its table, and those of its raw events that are not normalized. Agrees with
-- lineage_core.reading.facets_of_run, but for events that normalization will refuse.
CREATE OR REPLACE FUNCTION facets_of_run(run uuid) RETURNS TABLE (
    name text, facet jsonb, lineage_event_time timestamptz, lineage_event_type text, type text, from_raw boolean
)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH waiting AS MATERIALIZED (
        SELECT DISTINCT ON (identity) event, event_time, lineage_event_type, is_ahead, identity
        FROM waiting_events
        WHERE run_uuid = run AND kind = 'RUN_EVENT'
        ORDER BY identity, is_ahead
    ),
    found AS (
        SELECT
            stored.name,
            stored.facet,
            stored.event_time AS lineage_event_time,
            stored.lineage_event_type,
            stored.event_order,
            false AS from_raw
        FROM run_facet_contents AS stored
        WHERE stored.run_uuid = run
        UNION ALL
        SELECT
            said.name,
            said.facet,
            waiting.event_time,
            coalesce(waiting.lineage_event_type, ''),
            CASE
                WHEN said.name = 'spark.logicalPlan'
                THEN event_order(waiting.identity, waiting.is_ahead)
            END,
            true
        FROM waiting
        CROSS JOIN LATERAL stored_facets(waiting.event #> '{run,facets}') AS said
    ),
    numbered AS (
        SELECT
            *,
            row_number() OVER (PARTITION BY event_order IS NULL, name ORDER BY event_order) AS number
        FROM found
    )
    SELECT name::text, facet, lineage_event_time, lineage_event_type::text, NULL::text, from_raw
    FROM numbered
    WHERE event_order IS NULL OR number = 1
    ORDER BY
        lineage_event_time, lifecycle_rank(lineage_event_type), lineage_event_type COLLATE "C", name COLLATE "C",
        CASE
            WHEN count(*) OVER (PARTITION BY lineage_event_time, lineage_event_type, name) > 1
            THEN sha256(convert_to(facet::text, 'UTF8'))
        END;
END
$$;

-- name: facets_of_job_version
-- The facets of a job version: those of its table, and those of the raw events, not normalized, of runs that have made it.
-- Which version a run makes that is not in the tables, or an event of a job alone, shows when it is normalized.
-- Agrees with lineage_core.reading.facets_of_job_version, but for events that normalization will refuse.
CREATE OR REPLACE FUNCTION facets_of_job_version(job_version uuid) RETURNS TABLE (
    name text, facet jsonb, lineage_event_time timestamptz, lineage_event_type text, type text, from_raw boolean
)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH waiting AS MATERIALIZED (
        SELECT DISTINCT ON (identity) event, event_time, lineage_event_type
        FROM waiting_events
        WHERE run_uuid = ANY (ARRAY(SELECT uuid FROM runs WHERE job_version_uuid = job_version)) AND kind = 'RUN_EVENT'
        ORDER BY identity, is_ahead
    ),
    found AS (
        SELECT
            stored.name,
            stored.facet,
            stored.lineage_event_time,
            stored.lineage_event_type,
            false AS from_raw
        FROM job_facets AS stored
        WHERE stored.job_version_uuid = job_version
        UNION ALL
        SELECT said.name, said.facet, waiting.event_time, waiting.lineage_event_type, true
        FROM waiting
        CROSS JOIN LATERAL stored_facets(waiting.event #> '{job,facets}') AS said
    )
    SELECT name::text, facet, lineage_event_time, lineage_event_type::text, NULL::text, from_raw
    FROM found
    ORDER BY
        lineage_event_time,
        lifecycle_rank(lineage_event_type),
        coalesce(lineage_event_type, '') COLLATE "C",
        name COLLATE "C",
        CASE
            WHEN count(*) OVER (PARTITION BY lineage_event_time, lineage_event_type, name) > 1
            THEN sha256(convert_to(facet::text, 'UTF8'))
        END;
END
$$;

-- name: facets_of_dataset_version
-- The facets of a dataset version: those of its table, and those of raw events that are not normalized. Of these, an output
-- says itself which version it makes; an input has read what was current before its event as far as the tables know, or else
-- the version of the first run that read the dataset. Events of another dataset whose versions have the same ids, as Marquez'
-- rule allows, count when they are normalized. Agrees with lineage_core.reading.facets_of_dataset_version, but for
-- events that normalization will refuse.
CREATE OR REPLACE FUNCTION facets_of_dataset_version(dataset_version uuid) RETURNS TABLE (
    name text, facet jsonb, lineage_event_time timestamptz, lineage_event_type text, type text, from_raw boolean
)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
SET standard_conforming_strings = on
AS $$
#variable_conflict use_column
DECLARE
    dataset CONSTANT uuid := (SELECT dataset_uuid FROM dataset_versions WHERE uuid = dataset_version);
    names CONSTANT text[] := names_of_dataset(dataset);
BEGIN
    RETURN QUERY
    WITH waiting AS MATERIALIZED (
        SELECT DISTINCT ON (identity)
            event, event_time, run_uuid, kind, lineage_event_type, is_ahead, identity,
            event_order(identity, is_ahead) AS event_order
        FROM waiting_events
        WHERE names IS NULL OR names_dataset(event, names)
        ORDER BY identity, is_ahead
    ),
    mentioned AS (
        SELECT waiting.*, said, place, input_role() AS role, said -> 'inputFacets' AS io_facets
        FROM waiting
        CROSS JOIN LATERAL jsonb_array_elements(
            CASE WHEN kind <> 'DATASET_EVENT' AND jsonb_typeof(event -> 'inputs') = 'array' THEN event -> 'inputs' END
        ) WITH ORDINALITY AS listed (said, place)
        UNION ALL
        SELECT waiting.*, said, NULL, output_role(), said -> 'outputFacets'
        FROM waiting
        CROSS JOIN LATERAL jsonb_array_elements(
            CASE
                WHEN kind = 'DATASET_EVENT' THEN jsonb_build_array(event -> 'dataset')
                WHEN jsonb_typeof(event -> 'outputs') = 'array' THEN event -> 'outputs'
            END
        ) AS said
    ),
    named AS (
        SELECT mentioned.*, coalesce(known_dataset.uuid, name.uuid) AS dataset_uuid
        FROM mentioned
        CROSS JOIN LATERAL (
            SELECT key_uuid(
                'datasets',
                regexp_replace((said ->> 'namespace') COLLATE "C", '[^a-zA-Z0-9:/\-_.@+]', '_', 'g'),
                said ->> 'name'
            )
        ) AS name (uuid)
        LEFT JOIN identity_map AS known_dataset
            ON known_dataset.entity = 'datasets' AND known_dataset.key_uuid = name.uuid
        WHERE jsonb_typeof(said) = 'object' AND (names IS NULL OR said ->> 'name' = ANY (names))
    ),
    made AS (
        SELECT named.*, coalesce(known_version.uuid, own.uuid) AS own_version_uuid, read.version_uuid
        FROM named
        CROSS JOIN LATERAL (SELECT dataset_version_uuid(said, run_uuid) OFFSET 0) AS own (uuid)
        LEFT JOIN identity_map AS known_version
            ON known_version.entity = 'dataset_versions' AND known_version.key_uuid = own.uuid
        LEFT JOIN LATERAL (SELECT version_before(named.dataset_uuid, named.event_order)) AS read (version_uuid)
            ON role = input_role()
        WHERE dataset IS NULL OR named.dataset_uuid = dataset
    ),
    resolved AS (
        SELECT
            made.*,
            CASE
                WHEN role = output_role() THEN made.own_version_uuid
                WHEN version_uuid IS NOT NULL THEN version_uuid
                WHEN first_read.event_order <= made.event_order THEN first_read.own_version_uuid
                ELSE made.own_version_uuid
            END AS resolved_uuid
        FROM made
        LEFT JOIN (
            SELECT DISTINCT ON (dataset_uuid) dataset_uuid, event_order, own_version_uuid
            FROM made
            WHERE role = input_role() AND run_uuid IS NOT NULL AND version_uuid IS NULL
            ORDER BY dataset_uuid, event_order, place
        ) AS first_read USING (dataset_uuid)
    ),
    found AS (
        SELECT
            stored.name, stored.facet, stored.lineage_event_time, stored.lineage_event_type, stored.type,
            false AS from_raw
        FROM dataset_facets AS stored
        WHERE stored.dataset_version_uuid = dataset_version
        UNION ALL
        SELECT said.name, said.facet, event_time, lineage_event_type, dataset_facet_type(said.name), true
        FROM resolved
        CROSS JOIN LATERAL stored_facets(resolved.said -> 'facets') AS said
        WHERE resolved_uuid = dataset_version
        UNION ALL
        SELECT
            said.name, said.facet, event_time, lineage_event_type,
            CASE role WHEN input_role() THEN 'INPUT' ELSE 'OUTPUT' END, true
        FROM resolved
        CROSS JOIN LATERAL stored_facets(io_facets) AS said
        WHERE resolved_uuid = dataset_version
    )
    SELECT name::text, facet, lineage_event_time, lineage_event_type::text, type::text, from_raw
    FROM found
    ORDER BY
        lineage_event_time,
        lifecycle_rank(lineage_event_type),
        coalesce(lineage_event_type, '') COLLATE "C",
        name COLLATE "C",
        type COLLATE "C",
        CASE
            WHEN count(*) OVER (PARTITION BY lineage_event_time, lineage_event_type, name, type) > 1
            THEN sha256(convert_to(facet::text, 'UTF8'))
        END;
END
$$;
