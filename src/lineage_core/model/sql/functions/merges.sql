-- What the statements of a merge share.

-- name: is_earlier
-- Whether a staged event takes the place of the stored one in a group that the earliest event fills. Never null: where no
-- stored event took part yet, any staged one does.
CREATE OR REPLACE FUNCTION is_earlier(staged bytea, stored bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(staged < stored, staged IS NOT NULL AND stored IS NULL);

-- name: is_newer
-- Whether a staged event takes the place of the stored one in a group that the newest event fills. Never null: where no
-- stored event took part yet, any staged one does.
CREATE OR REPLACE FUNCTION is_newer(staged bytea, stored bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(staged > stored, staged IS NOT NULL AND stored IS NULL);

-- name: schema_keys
-- The keys of the fields of a schema, which is a row of dataset_schemas. One that an earlier release has written has them in its
-- `keyed_fields`, until the long migration `schema-keys` moves them.
CREATE OR REPLACE FUNCTION schema_keys(field_keys uuid[], keyed_fields jsonb) RETURNS TABLE (uuid uuid)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT unnest(field_keys)
    UNION ALL
    SELECT earlier.uuid FROM jsonb_to_recordset(keyed_fields) AS earlier (uuid uuid)
$$;

-- name: schema_fields
-- The fields of a schema with their keys, in the order in which it lists them.
CREATE OR REPLACE FUNCTION schema_fields(fields jsonb, field_keys uuid[], keyed_fields jsonb)
RETURNS TABLE (uuid uuid, name text, type text, description text, place bigint)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT key, name, type, description, place
    FROM ROWS FROM (
        unnest(field_keys),
        jsonb_to_recordset(CASE WHEN field_keys IS NOT NULL THEN fields END) AS (name text, type text, description text)
    ) WITH ORDINALITY AS listed (key, name, type, description, place)
    UNION ALL
    SELECT earlier.*
    FROM ROWS FROM (
        jsonb_to_recordset(keyed_fields) AS (uuid uuid, name text, type text, description text)
    ) WITH ORDINALITY AS earlier
$$;

-- name: changed_fields
-- The columns of a schema version without some, and with others; each once, by uuid. `held` is to be the column of the row that is
-- updated: Postgres then computes it again if another transaction has changed the row meanwhile. Null stays null: such a schema
-- version has its columns in `schema_fields_to_move`, and a list of its own would hide them.
CREATE OR REPLACE FUNCTION changed_fields(held uuid[], removed uuid[], added uuid[]) RETURNS uuid[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN held IS NOT NULL THEN
    ARRAY((SELECT unnest(held) EXCEPT SELECT unnest(removed)) UNION SELECT unnest(added) ORDER BY 1)
END;

-- name: foreign_fields
-- The columns of a schema version that no dataset has which has a version of it. Only names made for it give it any.
CREATE OR REPLACE FUNCTION foreign_fields(schema_version uuid) RETURNS uuid[]
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT array_agg(mapping.dataset_field_uuid)
    FROM public.dataset_schema_versions_field_mapping AS mapping
    WHERE mapping.dataset_schema_version_uuid = schema_version
      AND NOT EXISTS (
          SELECT
          FROM public.dataset_fields AS field
          JOIN public.dataset_versions AS version
              ON version.dataset_schema_version_uuid = schema_version AND version.dataset_uuid = field.dataset_uuid
          WHERE field.uuid = mapping.dataset_field_uuid
      )
$$;

-- name: take_in_fields
-- Moves the columns of these schema versions into their rows, where they are not yet; how many it did. Whoever changes the columns
-- of a schema version does this first.
CREATE OR REPLACE FUNCTION take_in_fields(schema_versions uuid[]) RETURNS bigint
LANGUAGE sql VOLATILE
AS $$
    WITH listed AS MATERIALIZED (
        SELECT uuid
        FROM public.dataset_schema_versions
        WHERE uuid = ANY (schema_versions) AND field_uuids IS NULL
        ORDER BY uuid
        FOR NO KEY UPDATE
    ),
    moved AS (
        DELETE FROM public.schema_fields_to_move AS stored
        USING listed
        WHERE stored.dataset_schema_version_uuid = listed.uuid
        RETURNING stored.dataset_schema_version_uuid AS uuid, stored.dataset_field_uuid
    ),
    taken AS (
        UPDATE public.dataset_schema_versions AS stored
        SET field_uuids = coalesce(gathered.field_uuids, '{}')
        FROM listed
        LEFT JOIN (
            SELECT uuid, array_agg(dataset_field_uuid ORDER BY dataset_field_uuid) AS field_uuids FROM moved GROUP BY uuid
        ) AS gathered USING (uuid)
        WHERE stored.uuid = listed.uuid
        RETURNING stored.uuid
    )
    SELECT count(*) FROM taken
$$;

-- name: take_in_pairs
-- Moves these lists of pairs of columns into their rows, where they are kept one by one; how many it did. A list whose columns are not
-- all of one dataset is refused, or dropped if it holds between no versions: retention may have left it behind its columns.
CREATE OR REPLACE FUNCTION take_in_pairs(lists uuid[]) RETURNS bigint
LANGUAGE sql VOLATILE
AS $$
    WITH listed AS MATERIALIZED (
        SELECT pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid
        FROM public.column_pairs_to_move
        WHERE pairs_uuid = ANY (lists)
        ORDER BY pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid
        FOR UPDATE
    ),
    moved AS (
        DELETE FROM public.column_pairs_to_move AS stored
        USING listed
        WHERE (stored.pairs_uuid, stored.output_dataset_field_uuid, stored.input_dataset_field_uuid)
            = (listed.pairs_uuid, listed.output_dataset_field_uuid, listed.input_dataset_field_uuid)
        RETURNING stored.*
    ),
    taken AS (
        INSERT INTO public.column_lineage_lists (
            pairs_uuid, output_dataset_uuid, input_dataset_uuid, output_field_uuids, input_field_uuids,
            transformation_descriptions, transformation_types, first_stated_at, last_stated_at
        )
        SELECT
            pairs_uuid,
            CASE WHEN count(DISTINCT output_field.dataset_uuid) = 1 THEN (array_agg(output_field.dataset_uuid))[1] END,
            CASE WHEN count(DISTINCT input_field.dataset_uuid) = 1 THEN (array_agg(input_field.dataset_uuid))[1] END,
            array_agg(output_dataset_field_uuid ORDER BY output_dataset_field_uuid, input_dataset_field_uuid),
            array_agg(input_dataset_field_uuid ORDER BY output_dataset_field_uuid, input_dataset_field_uuid),
            CASE
                WHEN count(transformation_description) > 0
                THEN array_agg(transformation_description ORDER BY output_dataset_field_uuid, input_dataset_field_uuid)
            END,
            CASE
                WHEN count(transformation_type) > 0
                THEN array_agg(transformation_type::text ORDER BY output_dataset_field_uuid, input_dataset_field_uuid)
            END,
            CASE
                WHEN count(moved.created_at) > 0
                THEN array_agg(moved.created_at ORDER BY output_dataset_field_uuid, input_dataset_field_uuid)
            END,
            CASE
                WHEN count(moved.updated_at) > 0
                THEN array_agg(moved.updated_at ORDER BY output_dataset_field_uuid, input_dataset_field_uuid)
            END
        FROM moved
        LEFT JOIN public.dataset_fields AS output_field ON output_field.uuid = output_dataset_field_uuid
        LEFT JOIN public.dataset_fields AS input_field ON input_field.uuid = input_dataset_field_uuid
        GROUP BY pairs_uuid
        HAVING (count(DISTINCT output_field.dataset_uuid), count(DISTINCT input_field.dataset_uuid)) = (1, 1)
            OR EXISTS (SELECT FROM public.column_lineage_versions AS versions WHERE versions.pairs_uuid = moved.pairs_uuid)
        ORDER BY pairs_uuid
        RETURNING pairs_uuid
    )
    SELECT count(*) FROM taken
$$;

-- name: endings_of
-- When datasets were dropped, or renamed to a name that is not their own, by any of their names.
CREATE OR REPLACE FUNCTION endings_of(datasets uuid[]) RETURNS TABLE (dataset_uuid uuid, event_order bytea)
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT name.dataset_uuid, ending.event_order
    FROM (
        SELECT asked.uuid AS dataset_uuid, asked.uuid FROM unnest(datasets) AS asked (uuid)
        UNION ALL
        SELECT known.uuid, known.key_uuid
        FROM public.identity_map AS known
        WHERE known.entity = 'datasets' AND known.uuid = ANY (datasets)
    ) AS name
    JOIN public.dataset_endings AS ending ON ending.name_uuid = name.uuid
    LEFT JOIN public.identity_map AS renamed ON renamed.entity = 'datasets' AND renamed.key_uuid = ending.renamed_to
    WHERE coalesce(renamed.uuid, ending.renamed_to) IS DISTINCT FROM name.dataset_uuid
$$;

-- name: named_datasets
-- What a run had named by each of some of its events, that event included; for events of no run, what each itself names: with the names
-- of the versions, null for one that is not known. A run is looked at once for all of its events, and versions of one name are one: the
-- run of a streaming job has an event each minute, for months, and each may read another version. Not STRICT and plain SQL,
-- so that the planner takes it into the statement that calls it; so the tables are named with their schema, whatever the path.
CREATE OR REPLACE FUNCTION named_datasets(run uuid, events bytea[])
RETURNS TABLE (
    event_order bytea, role integer, dataset_uuid uuid, name_uuid uuid, lineage_uuid uuid, namespace_name text, dataset_name text
)
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT
        asked.event_order, named.role, named.dataset_uuid, named.name_uuid, named.lineage_uuid, named.namespace_name,
        named.dataset_name
    FROM (
        SELECT
            mention.role, mention.dataset_uuid, mention.name_uuid, mention.lineage_uuid, version.namespace_name,
            version.dataset_name, min(mention.since) AS since
        FROM (
            -- Before version 18 Postgres has no min() of bytea; in hexadecimal digits, "C" orders as the bytes do.
            SELECT role, dataset_uuid, name_uuid, lineage_uuid, version_uuid, min(encode(event_order, 'hex') COLLATE "C") AS since
            FROM public.dataset_mentions
            WHERE run_uuid = run
            GROUP BY role, dataset_uuid, name_uuid, lineage_uuid, version_uuid
        ) AS mention
        LEFT JOIN public.dataset_versions AS version ON version.uuid = mention.version_uuid
        GROUP BY
            mention.role, mention.dataset_uuid, mention.name_uuid, mention.lineage_uuid, version.namespace_name,
            version.dataset_name
    ) AS named
    JOIN unnest(events) AS asked (event_order) ON asked.event_order >= decode(named.since, 'hex')
    UNION ALL
    SELECT
        mention.event_order, mention.role, mention.dataset_uuid, mention.name_uuid, mention.lineage_uuid, version.namespace_name,
        version.dataset_name
    FROM public.dataset_mentions AS mention
    LEFT JOIN public.dataset_versions AS version ON version.uuid = mention.version_uuid
    WHERE run IS NULL AND mention.run_uuid IS NULL AND mention.event_order = ANY (events)
$$;

-- name: puts_in_force
-- Whether an event that makes a version of its job puts it in force, if its run had named datasets by then: a COMPLETE, a job event,
-- or an event of a streaming job that itself names datasets. A FAIL or ABORT does not, nor what is ahead of its receipt.
CREATE OR REPLACE FUNCTION puts_in_force(
    run uuid, event bytea, is_complete boolean, event_type text, names_datasets boolean
) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE
AS $$
    SELECT NOT public.is_ahead(event) AND (
        is_complete OR run IS NULL OR (public.lifecycle_rank(event_type) <> public.ending_rank() AND names_datasets)
    )
$$;

-- name: version_before
-- The version of a dataset that was current before an event, as far as the tables know: what an input of that event reads.
-- Null if the dataset was neither written nor read by then. The same choice as in model/derive/inputs_read.
CREATE OR REPLACE FUNCTION version_before(dataset uuid, event bytea) RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN (
        SELECT pointer.version_uuid
        FROM dataset_version_timeline AS pointer
        WHERE pointer.dataset_uuid = dataset
          AND pointer.event_order <= event
          AND (pointer.event_order < event OR NOT pointer.is_written)
        ORDER BY pointer.event_order DESC, pointer.is_written DESC
        LIMIT 1
    );
END
$$;
