-- Which columns the columns of an output come from, by what its mentions say, and by the fields of the versions that the run had
-- read by then.
-- again: The run names or reads something new; an input reads another version; a version that it read has other fields; a version
--     that it wrote, or a name, becomes another dataset's.
-- reads: dataset_column_lineages, dataset_fields, dataset_mentions, dataset_schema_versions, dataset_schemas, dataset_versions,
--     identity_map of datasets, runs_input_mapping, schema_fields_to_move, changed_names, moved_reads, renamed_versions,
--     reshaped_versions, slice_mentions
-- writes: column_lineage_lists, column_lineage_versions
-- removes: column_lineage_lists, column_lineage_versions, column_pairs_to_move
-- before: model/derive/unreferenced
--
-- The last mention with a pair says what was done to it. Versions between which the same pairs hold share the list of them.

-- touched_runs: the runs that say or read something new, read a version whose fields have changed, wrote one that may be another
-- dataset's now, or read a dataset that has gained or lost a name: what they say may be of that name. The planner has to know how few
-- they are, or it reads all mentions.
CREATE TEMP TABLE touched_runs ON COMMIT DROP AS
SELECT run_uuid FROM slice_mentions WHERE run_uuid IS NOT NULL AND NOT is_purged
UNION
SELECT run_uuid FROM moved_reads WHERE run_uuid IS NOT NULL AND NOT is_purged
UNION
SELECT read.run_uuid
FROM reshaped_versions AS reshaped
JOIN runs_input_mapping AS read ON read.dataset_version_uuid = reshaped.version_uuid
UNION
SELECT written.run_uuid
FROM renamed_versions AS renamed
JOIN dataset_mentions AS written
    ON written.version_uuid = renamed.version_uuid
   AND written.role = output_role()
   AND written.run_uuid IS NOT NULL
   AND NOT written.is_purged
UNION
SELECT read.run_uuid
FROM changed_names AS changed
CROSS JOIN LATERAL (VALUES (changed.old_uuid), (changed.new_uuid)) AS side (uuid)
JOIN dataset_mentions AS read
    ON read.dataset_uuid = side.uuid AND read.role = input_role() AND read.run_uuid IS NOT NULL AND NOT read.is_purged;

ANALYZE touched_runs;

-- touched_outputs: versions of outputs of these runs.
CREATE TEMP TABLE touched_outputs ON COMMIT DROP AS
SELECT
    touched.*,
    EXISTS (
        SELECT FROM column_lineage_versions AS stored WHERE stored.output_dataset_version_uuid = touched.version_uuid
    ) AS has_rows
FROM (
    SELECT DISTINCT mention.run_uuid, mention.dataset_uuid, mention.version_uuid
    FROM touched_runs AS named
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

CREATE INDEX ON run_reads (run_uuid, event_order);
ANALYZE run_reads;

-- stated_lineages: the descriptions of columns that mentions of a version give, for each input, once however many say the same.
-- A read is joined with the first of these mentions that does not come before it, and with no other: the run of a streaming job has
-- one each minute, and may read a new version each time. The last mention is the same for all reads before it: the last in time,
-- or else the last of those ahead of their receipt, which come behind all others in the order.
-- Where two datasets have one version, it is that of one of them, as an input's is: what is described of the other's columns is of no
-- version.
CREATE TEMP TABLE stated_lineages ON COMMIT DROP AS
WITH mentions AS (
    SELECT
        touched.run_uuid,
        touched.version_uuid,
        touched.dataset_uuid,
        mention.lineage_uuid,
        mention.schema_uuid,
        mention.event_order,
        mention.event_time,
        place.in_order,
        lag(mention.event_order, 1, '') OVER (alike ORDER BY place.in_order) AS order_before,
        last_value(place.in_order) OVER alike_in_time AS last_place,
        last_value(mention.event_time) OVER alike_in_time AS last_time
    FROM touched_outputs AS touched
    JOIN dataset_versions AS written ON written.uuid = touched.version_uuid AND written.dataset_uuid = touched.dataset_uuid
    JOIN dataset_mentions AS mention
        ON mention.run_uuid = touched.run_uuid
       AND mention.role = output_role()
       AND mention.dataset_uuid = touched.dataset_uuid
       AND mention.version_uuid = touched.version_uuid
       AND mention.lineage_uuid IS NOT NULL
    CROSS JOIN LATERAL (SELECT mention.event_order || int4send(mention.place)) AS place (in_order)
    WINDOW
        alike AS (
            PARTITION BY touched.run_uuid, touched.version_uuid, touched.dataset_uuid, mention.lineage_uuid, mention.schema_uuid
        ),
        alike_in_time AS (
            PARTITION BY
                touched.run_uuid, touched.version_uuid, touched.dataset_uuid, mention.lineage_uuid, mention.schema_uuid,
                is_ahead(place.in_order)
            ORDER BY place.in_order
            ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
        )
),
stated AS (
    SELECT
        mention.version_uuid AS output_version_uuid,
        mention.dataset_uuid AS output_dataset_uuid,
        mention.lineage_uuid,
        mention.schema_uuid AS output_schema_uuid,
        reads.version_uuid AS input_version_uuid,
        reads.dataset_uuid AS input_dataset_uuid,
        (array_agg(mention.event_time ORDER BY mention.in_order))[1] AS created_at,
        (array_agg(mention.last_time ORDER BY is_ahead(mention.last_place), mention.last_place DESC))[1] AS updated_at,
        (array_agg(mention.in_order ORDER BY mention.in_order))[1] AS first_place,
        (array_agg(mention.last_place ORDER BY is_ahead(mention.last_place), mention.last_place DESC))[1] AS last_place
    FROM mentions AS mention
    CROSS JOIN LATERAL (
        SELECT version_uuid, dataset_uuid
        FROM run_reads
        WHERE run_uuid = mention.run_uuid AND event_order > mention.order_before AND event_order <= mention.event_order
        OFFSET 0
    ) AS reads
    GROUP BY 1, 2, 3, 4, 5, 6
)
SELECT
    stated.*,
    version.dataset_uuid AS input_version_dataset_uuid,
    version.dataset_schema_version_uuid AS input_schema_version_uuid,
    count(*) OVER (PARTITION BY output_version_uuid, input_version_uuid) > 1 AS is_one_of_several
FROM stated
JOIN dataset_versions AS version ON version.uuid = stated.input_version_uuid;

ANALYZE stated_lineages;

-- earlier_outputs: the versions of these outputs that were written last before, by runs that are none of these, and of which one
-- description speaks. One that is another dataset's has the list of that one. Mentions of this slice are passed over by their place: a
-- dataset may have thousands.
CREATE TEMP TABLE earlier_outputs ON COMMIT DROP AS
SELECT
    stated.output_dataset_uuid,
    earlier.run_uuid,
    earlier.version_uuid,
    stated_then.lineage_uuids[1] AS lineage_uuid,
    stated_then.schema_uuids[1] AS output_schema_uuid
FROM (
    SELECT
        output_dataset_uuid,
        (array_agg(first_place ORDER BY first_place))[1] AS first_place
    FROM stated_lineages
    GROUP BY output_dataset_uuid
) AS stated
CROSS JOIN LATERAL (
    SELECT mention.run_uuid, mention.version_uuid
    FROM dataset_mentions AS mention
    WHERE mention.dataset_uuid = stated.output_dataset_uuid
      AND mention.role = output_role()
      AND mention.event_order < substr(stated.first_place, 1, octet_length(stated.first_place) - octet_length(int4send(0)))
    ORDER BY mention.event_order DESC, mention.place DESC
    LIMIT 1
) AS earlier
JOIN dataset_versions AS written ON written.uuid = earlier.version_uuid AND written.dataset_uuid = stated.output_dataset_uuid
CROSS JOIN LATERAL (
    SELECT array_agg(DISTINCT mention.lineage_uuid) AS lineage_uuids, array_agg(DISTINCT mention.schema_uuid) AS schema_uuids
    FROM dataset_mentions AS mention
    WHERE mention.run_uuid = earlier.run_uuid
      AND mention.role = output_role()
      AND mention.dataset_uuid = stated.output_dataset_uuid
      AND mention.version_uuid = earlier.version_uuid
      AND mention.lineage_uuid IS NOT NULL
) AS stated_then
WHERE cardinality(stated_then.lineage_uuids) = 1
  AND cardinality(stated_then.schema_uuids) = 1
  AND NOT EXISTS (SELECT FROM touched_runs AS touched WHERE touched.run_uuid = earlier.run_uuid);

ANALYZE earlier_outputs;

-- known_lists: the lists that hold between these versions and what their runs read, by what they follow from. What is stored of a run
-- that is not judged anew is what would be made of it now, so another run that is described alike has the same list.
CREATE TEMP TABLE known_lists ON COMMIT DROP AS
WITH earlier_reads AS MATERIALIZED (
    SELECT read.run_uuid, read.version_uuid, array_agg(DISTINCT read.dataset_uuid) AS dataset_uuids
    FROM (SELECT DISTINCT run_uuid FROM earlier_outputs) AS named
    JOIN dataset_mentions AS read ON read.run_uuid = named.run_uuid AND read.role = input_role()
    GROUP BY read.run_uuid, read.version_uuid
)
SELECT
    earlier.lineage_uuid,
    earlier.output_dataset_uuid,
    earlier.output_schema_uuid,
    reads.dataset_uuids[1] AS input_dataset_uuid,
    version.dataset_schema_version_uuid AS input_schema_version_uuid,
    version.dataset_uuid AS input_version_dataset_uuid,
    (array_agg(stored.pairs_uuid))[1] AS pairs_uuid
FROM earlier_outputs AS earlier
JOIN column_lineage_versions AS stored ON stored.output_dataset_version_uuid = earlier.version_uuid
JOIN dataset_versions AS version ON version.uuid = stored.input_dataset_version_uuid
JOIN earlier_reads AS reads
    ON reads.run_uuid = earlier.run_uuid
   AND reads.version_uuid = stored.input_dataset_version_uuid
   AND cardinality(reads.dataset_uuids) = 1
GROUP BY 1, 2, 3, 4, 5, 6;

ANALYZE known_lists;

-- described_inputs: the inputs that are described alike, and have the same schema, whatever run they are of: a list of pairs each, and
-- its id if it is known. The pairs themselves are needed where several descriptions speak of the same versions.
CREATE TEMP TABLE described_inputs ON COMMIT DROP AS
SELECT
    row_number() OVER () AS list_no,
    lineage_uuid,
    output_dataset_uuid,
    output_schema_uuid,
    input_dataset_uuid,
    input_schema_version_uuid,
    input_version_dataset_uuid,
    CASE WHEN NOT stated.is_one_of_several THEN known.pairs_uuid END AS pairs_uuid
FROM (
    SELECT
        lineage_uuid,
        output_dataset_uuid,
        output_schema_uuid,
        input_dataset_uuid,
        input_schema_version_uuid,
        input_version_dataset_uuid,
        bool_or(is_one_of_several) AS is_one_of_several
    FROM stated_lineages
    GROUP BY 1, 2, 3, 4, 5, 6
) AS stated
LEFT JOIN known_lists AS known USING (
    lineage_uuid, output_dataset_uuid, output_schema_uuid, input_dataset_uuid, input_schema_version_uuid,
    input_version_dataset_uuid
);

ANALYZE described_inputs;

-- untyped_columns: the columns without a type, as schemas of these outputs have them.
CREATE TEMP TABLE untyped_columns ON COMMIT DROP AS
SELECT DISTINCT stated.output_schema_uuid, field.name
FROM (SELECT DISTINCT output_schema_uuid FROM described_inputs WHERE pairs_uuid IS NULL) AS stated
JOIN dataset_schemas AS schema ON schema.uuid = stated.output_schema_uuid
CROSS JOIN LATERAL jsonb_to_recordset(schema.fields) AS field (name text, type text)
WHERE field.type IS NULL;

ANALYZE untyped_columns;

-- list_fields: the columns of the datasets whose versions such lists hold between. They lie together, so they are read dataset by
-- dataset. Joined, a slice with many datasets would have the planner read all columns of the store.
CREATE TEMP TABLE list_fields ON COMMIT DROP AS
SELECT field.*
FROM (
    SELECT output_dataset_uuid AS uuid FROM described_inputs WHERE pairs_uuid IS NULL
    UNION
    SELECT input_version_dataset_uuid FROM described_inputs WHERE pairs_uuid IS NULL
) AS dataset
CROSS JOIN LATERAL (
    SELECT dataset_uuid, uuid, name, type
    FROM dataset_fields
    WHERE dataset_uuid = dataset.uuid
    OFFSET 0
) AS field;

ANALYZE list_fields;

-- described_pairs: the pairs of each description, with the fields and datasets that they name. What has no type is such a column, or
-- the path of one within another, which has no pairs: not even where the dataset has a column of that name besides.
CREATE TEMP TABLE described_pairs ON COMMIT DROP AS
SELECT
    stated.lineage_uuid,
    stated.output_dataset_uuid,
    stated.output_schema_uuid,
    output_field.uuid AS output_field_uuid,
    coalesce(known_input.uuid, pair.dataset) AS input_dataset_uuid,
    pair.field AS input_field_name,
    pair.type,
    pair.description,
    pair.place
FROM (
    SELECT DISTINCT lineage_uuid, output_dataset_uuid, output_schema_uuid FROM described_inputs WHERE pairs_uuid IS NULL
) AS stated
CROSS JOIN LATERAL (
    SELECT pair.*
    FROM dataset_column_lineages AS described
    CROSS JOIN LATERAL ROWS FROM (
        jsonb_to_recordset(described.pairs)
            AS (output text, output_type text, dataset uuid, field text, type text, description text)
    ) WITH ORDINALITY AS pair (output, output_type, dataset, field, type, description, place)
    WHERE described.uuid = stated.lineage_uuid
    OFFSET 0
) AS pair
JOIN list_fields AS output_field
    ON output_field.dataset_uuid = stated.output_dataset_uuid
   AND output_field.name = pair.output
   AND output_field.type IS NOT DISTINCT FROM pair.output_type
LEFT JOIN untyped_columns AS untyped ON untyped.output_schema_uuid = stated.output_schema_uuid AND untyped.name = pair.output
LEFT JOIN identity_map AS known_input ON known_input.entity = 'datasets' AND known_input.key_uuid = pair.dataset
WHERE pair.output_type IS NOT NULL OR untyped.name IS NOT NULL;

ANALYZE described_pairs;

-- input_fields: the fields of the schema versions of these inputs, by name. Joined, a slice with many inputs would have the planner
-- read the fields of all schema versions of the store.
CREATE TEMP TABLE input_fields ON COMMIT DROP AS
SELECT
    stated.input_schema_version_uuid,
    stated.input_version_dataset_uuid,
    field.name AS input_field_name,
    field.uuid AS input_field_uuid
FROM (
    SELECT DISTINCT input_schema_version_uuid, input_version_dataset_uuid FROM described_inputs WHERE pairs_uuid IS NULL
) AS stated
CROSS JOIN LATERAL (
    SELECT mapped.dataset_field_uuid AS uuid
    FROM dataset_schema_versions_field_mapping AS mapped
    WHERE mapped.dataset_schema_version_uuid = stated.input_schema_version_uuid
    OFFSET 0
) AS listed
JOIN list_fields AS field ON field.uuid = listed.uuid AND field.dataset_uuid = stated.input_version_dataset_uuid;

ANALYZE input_fields;

-- resolved_pairs: the pairs of the lists that are not known, with both fields.
CREATE TEMP TABLE resolved_pairs ON COMMIT DROP AS
SELECT DISTINCT ON (list_no, output_field_uuid, input_field_uuid)
    list_no,
    output_field_uuid,
    input_field_uuid,
    type,
    description,
    place
FROM described_inputs
JOIN described_pairs USING (lineage_uuid, output_dataset_uuid, output_schema_uuid, input_dataset_uuid)
JOIN input_fields USING (input_schema_version_uuid, input_version_dataset_uuid, input_field_name)
WHERE described_inputs.pairs_uuid IS NULL
ORDER BY list_no, output_field_uuid, input_field_uuid, place DESC;

ANALYZE resolved_pairs;

-- several_pairs: the pairs between versions that several descriptions speak of. The last mention with a pair says how it was made.
CREATE TEMP TABLE several_pairs ON COMMIT DROP AS
SELECT DISTINCT ON (output_version_uuid, input_version_uuid, output_field_uuid, input_field_uuid)
    output_version_uuid,
    input_version_uuid,
    output_dataset_uuid,
    input_version_dataset_uuid,
    output_field_uuid,
    input_field_uuid,
    type,
    description,
    first_value(created_at) OVER earliest AS created_at,
    first_value(first_place) OVER earliest AS first_place,
    updated_at,
    last_place
FROM stated_lineages
JOIN described_inputs USING (
    lineage_uuid, output_dataset_uuid, output_schema_uuid, input_dataset_uuid, input_schema_version_uuid,
    input_version_dataset_uuid
)
JOIN resolved_pairs USING (list_no)
WHERE is_one_of_several
WINDOW earliest AS (
    PARTITION BY output_version_uuid, input_version_uuid, output_field_uuid, input_field_uuid
    ORDER BY first_place
)
ORDER BY
    output_version_uuid, input_version_uuid, output_field_uuid, input_field_uuid, is_ahead(last_place), last_place DESC,
    place DESC;

-- version_lists: the list that holds between each output and each input of these runs, and since when until when it was stated.
CREATE TEMP TABLE version_lists ON COMMIT DROP AS
SELECT
    stated.output_version_uuid,
    stated.input_version_uuid,
    stated.output_dataset_uuid,
    stated.input_version_dataset_uuid AS input_dataset_uuid,
    described_inputs.list_no,
    stated.created_at,
    stated.updated_at
FROM stated_lineages AS stated
JOIN described_inputs USING (
    lineage_uuid, output_dataset_uuid, output_schema_uuid, input_dataset_uuid, input_schema_version_uuid,
    input_version_dataset_uuid
)
WHERE NOT stated.is_one_of_several
UNION ALL
SELECT
    output_version_uuid,
    input_version_uuid,
    (array_agg(output_dataset_uuid))[1],
    (array_agg(input_version_dataset_uuid))[1],
    -row_number() OVER (),
    (array_agg(created_at ORDER BY first_place))[1],
    (array_agg(updated_at ORDER BY is_ahead(last_place), last_place DESC))[1]
FROM several_pairs
GROUP BY output_version_uuid, input_version_uuid;

ANALYZE version_lists;

-- listed_pairs: the pairs of the lists that hold between any versions. Where several descriptions speak, a pair may have times of its
-- own.
CREATE TEMP TABLE listed_pairs ON COMMIT DROP AS
SELECT
    list_no,
    output_field_uuid,
    input_field_uuid,
    type,
    description,
    NULL::timestamptz AS created_at,
    NULL::timestamptz AS updated_at
FROM resolved_pairs
WHERE list_no IN (SELECT versions.list_no FROM version_lists AS versions)
UNION ALL
SELECT
    versions.list_no,
    pair.output_field_uuid,
    pair.input_field_uuid,
    pair.type,
    pair.description,
    nullif(pair.created_at, versions.created_at),
    nullif(pair.updated_at, versions.updated_at)
FROM several_pairs AS pair
JOIN version_lists AS versions USING (output_version_uuid, input_version_uuid);

-- list_contents: the id of each list, by its content if it is not known.
CREATE TEMP TABLE list_contents ON COMMIT DROP AS
SELECT
    list_no,
    encode(
        substr(
            sha256(
                string_agg(
                    convert_to(
                        jsonb_build_array(
                            output_field_uuid, input_field_uuid, type, description, microseconds(created_at),
                            microseconds(updated_at)
                        )::text,
                        'UTF8'
                    ),
                    '' ORDER BY output_field_uuid, input_field_uuid
                )
            ),
            1,
            16
        ),
        'hex'
    )::uuid AS pairs_uuid
FROM listed_pairs
GROUP BY list_no
UNION ALL
SELECT list_no, pairs_uuid
FROM described_inputs
WHERE pairs_uuid IS NOT NULL;

ANALYZE list_contents;

-- list_datasets: each list once, and the datasets of its columns.
CREATE TEMP TABLE list_datasets ON COMMIT DROP AS
SELECT DISTINCT ON (listed.pairs_uuid)
    listed.pairs_uuid,
    listed.list_no,
    versions.output_dataset_uuid,
    versions.input_dataset_uuid
FROM list_contents AS listed
JOIN version_lists AS versions USING (list_no)
ORDER BY listed.pairs_uuid, listed.list_no;

ANALYZE list_datasets;

-- Lists that an earlier release has kept pair by pair are moved before they are looked at.
SELECT take_in_pairs(array_agg(DISTINCT waiting.pairs_uuid))
FROM list_datasets
JOIN column_pairs_to_move AS waiting USING (pairs_uuid)
HAVING count(*) > 0;

-- A list that retention has left behind its datasets may be of others by now, which somebody else has made: columns have ids of
-- names.
UPDATE column_lineage_lists AS stored
SET output_dataset_uuid = listed.output_dataset_uuid, input_dataset_uuid = listed.input_dataset_uuid
FROM list_datasets AS listed
WHERE stored.pairs_uuid = listed.pairs_uuid
  AND (stored.output_dataset_uuid, stored.input_dataset_uuid)
      IS DISTINCT FROM (listed.output_dataset_uuid, listed.input_dataset_uuid);

INSERT INTO column_lineage_lists (
    pairs_uuid, output_dataset_uuid, input_dataset_uuid, output_field_uuids, input_field_uuids, transformation_descriptions,
    transformation_types, first_stated_at, last_stated_at
)
SELECT
    pairs_uuid,
    output_dataset_uuid,
    input_dataset_uuid,
    array_agg(output_field_uuid ORDER BY output_field_uuid, input_field_uuid),
    array_agg(input_field_uuid ORDER BY output_field_uuid, input_field_uuid),
    CASE WHEN count(description) > 0 THEN array_agg(description ORDER BY output_field_uuid, input_field_uuid) END,
    CASE WHEN count(type) > 0 THEN array_agg(type ORDER BY output_field_uuid, input_field_uuid) END,
    CASE WHEN count(created_at) > 0 THEN array_agg(created_at ORDER BY output_field_uuid, input_field_uuid) END,
    CASE WHEN count(updated_at) > 0 THEN array_agg(updated_at ORDER BY output_field_uuid, input_field_uuid) END
FROM list_datasets AS listed
JOIN listed_pairs USING (list_no)
WHERE NOT EXISTS (SELECT FROM column_lineage_lists AS stored WHERE stored.pairs_uuid = listed.pairs_uuid)
GROUP BY pairs_uuid, output_dataset_uuid, input_dataset_uuid
ORDER BY pairs_uuid;

-- doubtful_pairs: the lists that may hold between no versions any more.
CREATE TEMP TABLE doubtful_pairs ON COMMIT DROP AS
SELECT DISTINCT stored.pairs_uuid
FROM touched_outputs AS touched
JOIN column_lineage_versions AS stored ON stored.output_dataset_version_uuid = touched.version_uuid
WHERE touched.has_rows;

DELETE FROM column_lineage_versions AS stored
USING touched_outputs AS touched
WHERE touched.has_rows
  AND stored.output_dataset_version_uuid = touched.version_uuid
  AND NOT EXISTS (
      SELECT
      FROM version_lists AS versions
      JOIN list_contents USING (list_no)
      WHERE versions.output_version_uuid = stored.output_dataset_version_uuid
        AND versions.input_version_uuid = stored.input_dataset_version_uuid
  );

MERGE INTO column_lineage_versions AS stored
USING (
    SELECT output_version_uuid, input_version_uuid, pairs_uuid, created_at, updated_at
    FROM version_lists
    JOIN list_contents USING (list_no)
    ORDER BY output_version_uuid, input_version_uuid
) AS made
    ON stored.output_dataset_version_uuid = made.output_version_uuid
   AND stored.input_dataset_version_uuid = made.input_version_uuid
WHEN MATCHED AND (stored.pairs_uuid, stored.created_at, stored.updated_at)
    IS DISTINCT FROM (made.pairs_uuid, made.created_at, made.updated_at)
THEN UPDATE SET pairs_uuid = made.pairs_uuid, created_at = made.created_at, updated_at = made.updated_at
WHEN NOT MATCHED THEN INSERT (
    output_dataset_version_uuid, input_dataset_version_uuid, pairs_uuid, created_at, updated_at
) VALUES (made.output_version_uuid, made.input_version_uuid, made.pairs_uuid, made.created_at, made.updated_at);

-- One that is being moved is awaited here, and found below.
DELETE FROM column_pairs_to_move AS waiting
USING doubtful_pairs AS doubtful
WHERE waiting.pairs_uuid = doubtful.pairs_uuid
  AND NOT EXISTS (SELECT FROM column_lineage_versions AS versions WHERE versions.pairs_uuid = doubtful.pairs_uuid);

DELETE FROM column_lineage_lists AS stored
USING doubtful_pairs AS doubtful
WHERE stored.pairs_uuid = doubtful.pairs_uuid
  AND NOT EXISTS (SELECT FROM column_lineage_versions AS versions WHERE versions.pairs_uuid = doubtful.pairs_uuid);
