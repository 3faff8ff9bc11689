-- Which columns the columns of an output come from: the pairs that the mentions of its version describe (see
-- dataset_column_lineages), for each version that the run had read by the mention's event and that has the input column.
-- The last mention with a pair says what was done to it.

-- touched_outputs: versions of outputs whose runs say or read something new, read a version whose fields have changed, or read a
-- dataset that has gained or lost a name: what they say may be of that name.
CREATE TEMP TABLE touched_outputs ON COMMIT DROP AS
SELECT
    touched.*,
    EXISTS (
        SELECT FROM column_lineage AS stored WHERE stored.output_dataset_version_uuid = touched.version_uuid
    ) AS has_rows
FROM (
    SELECT DISTINCT mention.run_uuid, mention.dataset_uuid, mention.version_uuid
    FROM (
        SELECT run_uuid FROM slice_mentions WHERE run_uuid IS NOT NULL
        UNION
        SELECT run_uuid FROM moved_reads WHERE run_uuid IS NOT NULL
        UNION
        SELECT read.run_uuid
        FROM reshaped_versions AS reshaped
        JOIN runs_input_mapping AS read ON read.dataset_version_uuid = reshaped.version_uuid
        UNION
        SELECT read.run_uuid
        FROM changed_names AS changed
        CROSS JOIN LATERAL (VALUES (changed.old_uuid), (changed.new_uuid)) AS side (uuid)
        JOIN dataset_mentions AS read ON read.dataset_uuid = side.uuid AND read.role = input_role() AND read.run_uuid IS NOT NULL
    ) AS named
    JOIN dataset_mentions AS mention
        ON mention.run_uuid = named.run_uuid AND mention.role = output_role() AND mention.lineage_uuid IS NOT NULL
) AS touched;

ANALYZE touched_outputs;

-- run_reads: the versions that the runs of these outputs read, of which datasets, and since which event. The index keeps the
-- planner from reading them all for each output.
CREATE TEMP TABLE run_reads ON COMMIT DROP AS
SELECT DISTINCT ON (read.run_uuid, read.version_uuid, read.dataset_uuid)
    read.run_uuid,
    read.dataset_uuid,
    read.version_uuid,
    read.event_order
FROM (SELECT DISTINCT run_uuid FROM touched_outputs) AS named
JOIN dataset_mentions AS read ON read.run_uuid = named.run_uuid AND read.role = input_role()
ORDER BY read.run_uuid, read.version_uuid, read.dataset_uuid, read.event_order;

CREATE INDEX ON run_reads (run_uuid);
ANALYZE run_reads;

-- said_lineages: the descriptions of columns that mentions of a version give, for each input, once however many say the same.
CREATE TEMP TABLE said_lineages ON COMMIT DROP AS
WITH said AS (
    SELECT
        touched.version_uuid AS output_version_uuid,
        touched.dataset_uuid AS output_dataset_uuid,
        mention.lineage_uuid,
        reads.version_uuid AS input_version_uuid,
        reads.dataset_uuid AS input_dataset_uuid,
        (array_agg(mention.event_time ORDER BY place.in_order))[1] AS created_at,
        (array_agg(mention.event_time ORDER BY is_ahead(place.in_order), place.in_order DESC))[1] AS updated_at,
        (array_agg(place.in_order ORDER BY place.in_order))[1] AS first_place,
        (array_agg(place.in_order ORDER BY is_ahead(place.in_order), place.in_order DESC))[1] AS last_place
    FROM touched_outputs AS touched
    JOIN dataset_mentions AS mention
        ON mention.run_uuid = touched.run_uuid
       AND mention.role = output_role()
       AND mention.dataset_uuid = touched.dataset_uuid
       AND mention.version_uuid = touched.version_uuid
       AND mention.lineage_uuid IS NOT NULL
    CROSS JOIN LATERAL (SELECT mention.event_order || int4send(mention.place)) AS place (in_order)
    JOIN run_reads AS reads ON reads.run_uuid = touched.run_uuid AND reads.event_order <= mention.event_order
    GROUP BY 1, 2, 3, 4, 5
)
SELECT
    said.*,
    version.dataset_uuid AS input_version_dataset_uuid,
    version.dataset_schema_version_uuid AS input_schema_version_uuid,
    count(*) OVER (PARTITION BY output_version_uuid, input_version_uuid) > 1 AS is_one_of_several
FROM said
JOIN dataset_versions AS version ON version.uuid = said.input_version_uuid;

ANALYZE said_lineages;

-- described_pairs: the pairs of each description, with the fields and datasets that they name.
CREATE TEMP TABLE described_pairs ON COMMIT DROP AS
SELECT
    said.lineage_uuid,
    said.output_dataset_uuid,
    output_field.uuid AS output_field_uuid,
    coalesce(known_input.uuid, pair.dataset) AS input_dataset_uuid,
    pair.field AS input_field_name,
    pair.type,
    pair.description,
    pair.place
FROM (SELECT DISTINCT lineage_uuid, output_dataset_uuid FROM said_lineages) AS said
JOIN dataset_column_lineages AS described ON described.uuid = said.lineage_uuid
CROSS JOIN LATERAL ROWS FROM (
    jsonb_to_recordset(described.pairs)
        AS (output text, output_type text, dataset uuid, field text, type text, description text)
) WITH ORDINALITY AS pair (output, output_type, dataset, field, type, description, place)
JOIN dataset_fields AS output_field
    ON output_field.dataset_uuid = said.output_dataset_uuid
   AND output_field.name = pair.output
   AND output_field.type IS NOT DISTINCT FROM pair.output_type
LEFT JOIN identity_map AS known_input ON known_input.entity = 'datasets' AND known_input.key_uuid = pair.dataset;

ANALYZE described_pairs;

-- input_fields: the fields of the schema versions of these inputs, by name.
CREATE TEMP TABLE input_fields ON COMMIT DROP AS
SELECT
    said.input_schema_version_uuid,
    said.input_version_dataset_uuid,
    field.name AS input_field_name,
    field.uuid AS input_field_uuid
FROM (SELECT DISTINCT input_schema_version_uuid, input_version_dataset_uuid FROM said_lineages) AS said
JOIN dataset_schema_versions_field_mapping AS mapped
    ON mapped.dataset_schema_version_uuid = said.input_schema_version_uuid
JOIN dataset_fields AS field
    ON field.uuid = mapped.dataset_field_uuid AND field.dataset_uuid = said.input_version_dataset_uuid;

ANALYZE input_fields;

-- resolved_pairs: the pairs with both fields, once for all runs that say the same of inputs with the same schema.
CREATE TEMP TABLE resolved_pairs ON COMMIT DROP AS
SELECT DISTINCT ON (
    lineage_uuid, output_dataset_uuid, input_dataset_uuid, input_schema_version_uuid, input_version_dataset_uuid,
    output_field_uuid, input_field_uuid
)
    lineage_uuid,
    output_dataset_uuid,
    input_dataset_uuid,
    input_schema_version_uuid,
    input_version_dataset_uuid,
    output_field_uuid,
    input_field_uuid,
    type,
    description,
    place
FROM described_pairs
JOIN (
    SELECT DISTINCT
        lineage_uuid, output_dataset_uuid, input_dataset_uuid, input_schema_version_uuid, input_version_dataset_uuid
    FROM said_lineages
) AS said USING (lineage_uuid, output_dataset_uuid, input_dataset_uuid)
JOIN input_fields USING (input_schema_version_uuid, input_version_dataset_uuid, input_field_name)
ORDER BY
    lineage_uuid, output_dataset_uuid, input_dataset_uuid, input_schema_version_uuid, input_version_dataset_uuid,
    output_field_uuid, input_field_uuid, place DESC;

ANALYZE resolved_pairs;

-- column_origins: the rows that touched outputs have now.
CREATE TEMP TABLE column_origins ON COMMIT DROP AS
SELECT
    output_version_uuid, output_field_uuid, input_version_uuid, input_field_uuid, description, type, created_at, updated_at
FROM said_lineages
JOIN resolved_pairs USING (
    lineage_uuid, output_dataset_uuid, input_dataset_uuid, input_schema_version_uuid, input_version_dataset_uuid
)
WHERE NOT is_one_of_several
UNION ALL
SELECT *
FROM (
    SELECT DISTINCT ON (output_version_uuid, output_field_uuid, input_version_uuid, input_field_uuid)
        output_version_uuid,
        output_field_uuid,
        input_version_uuid,
        input_field_uuid,
        description,
        type,
        first_value(created_at) OVER (
            PARTITION BY output_version_uuid, output_field_uuid, input_version_uuid, input_field_uuid
            ORDER BY first_place
        ),
        updated_at
    FROM said_lineages
    JOIN resolved_pairs USING (
        lineage_uuid, output_dataset_uuid, input_dataset_uuid, input_schema_version_uuid, input_version_dataset_uuid
    )
    WHERE is_one_of_several
    ORDER BY
        output_version_uuid, output_field_uuid, input_version_uuid, input_field_uuid, is_ahead(last_place),
        last_place DESC, place DESC
) AS folded;

DELETE FROM column_lineage AS stored
USING touched_outputs AS touched
WHERE touched.has_rows
  AND stored.output_dataset_version_uuid = touched.version_uuid
  AND NOT EXISTS (
      SELECT
      FROM column_origins AS origin
      WHERE origin.output_version_uuid = stored.output_dataset_version_uuid
        AND origin.output_field_uuid = stored.output_dataset_field_uuid
        AND origin.input_version_uuid = stored.input_dataset_version_uuid
        AND origin.input_field_uuid = stored.input_dataset_field_uuid
  );

INSERT INTO column_lineage AS stored (
    output_dataset_version_uuid, output_dataset_field_uuid, input_dataset_version_uuid, input_dataset_field_uuid,
    transformation_description, transformation_type, created_at, updated_at
)
SELECT
    output_version_uuid,
    output_field_uuid,
    input_version_uuid,
    input_field_uuid,
    description,
    type,
    created_at AT TIME ZONE 'UTC',
    updated_at AT TIME ZONE 'UTC'
FROM column_origins
ORDER BY output_version_uuid, output_field_uuid, input_version_uuid, input_field_uuid
ON CONFLICT (
    output_dataset_version_uuid, output_dataset_field_uuid, input_dataset_version_uuid, input_dataset_field_uuid
) DO UPDATE SET
    transformation_description = excluded.transformation_description,
    transformation_type = excluded.transformation_type,
    created_at = excluded.created_at,
    updated_at = excluded.updated_at
WHERE (stored.transformation_description, stored.transformation_type, stored.created_at, stored.updated_at)
    IS DISTINCT FROM
    (excluded.transformation_description, excluded.transformation_type, excluded.created_at, excluded.updated_at);
