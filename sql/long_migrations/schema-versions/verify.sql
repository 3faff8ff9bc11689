-- What readers see of the next dataset versions, by the old mapping and by the new: rows, distinct columns (by name and type),
-- and a checksum over those. Answers with the last key, the sums, and the versions that differ, those in quarantine and
-- those that somebody has accepted apart. Those that differ are in quarantine from now on, with what differs, so that a person
-- can accept what no run mends; those that do not differ are there no longer.
WITH chunk AS MATERIALIZED (
    SELECT uuid, dataset_uuid, dataset_schema_version_uuid
    FROM dataset_versions
    WHERE %(after)s::uuid IS NULL OR uuid > %(after)s::uuid
    ORDER BY uuid
    LIMIT %(rows)s
),
old_columns AS (
    SELECT
        chunk.uuid,
        field.name,
        field.type,
        count(*) AS times,
        bool_or(replacing.dataset_field_uuid IS NULL) AS is_replaced
    FROM chunk
    JOIN dataset_versions_field_mapping AS mapping ON mapping.dataset_version_uuid = chunk.uuid
    JOIN dataset_fields AS field ON field.uuid = mapping.dataset_field_uuid
    LEFT JOIN dataset_schema_versions_field_mapping AS replacing
        ON replacing.dataset_schema_version_uuid = chunk.dataset_schema_version_uuid
       AND replacing.dataset_field_uuid = mapping.dataset_field_uuid
    GROUP BY chunk.uuid, field.name, field.type
),
new_columns AS (
    SELECT chunk.uuid, field.name, field.type, count(*) AS times
    FROM chunk
    JOIN dataset_schema_versions_field_mapping AS mapping
        ON mapping.dataset_schema_version_uuid = chunk.dataset_schema_version_uuid
    JOIN dataset_fields AS field
        ON field.uuid = mapping.dataset_field_uuid AND field.dataset_uuid = chunk.dataset_uuid
    GROUP BY chunk.uuid, field.name, field.type
),
old_versions AS (
    SELECT
        uuid,
        sum(times) AS rows,
        count(*) AS columns,
        sum(hashtextextended(format('%%s %%L %%L', uuid, name, type), 0)::numeric) AS checksum,
        bool_or(is_replaced) AS is_replaced
    FROM old_columns
    GROUP BY uuid
),
new_versions AS (
    SELECT
        uuid,
        sum(times) AS rows,
        count(*) AS columns,
        sum(hashtextextended(format('%%s %%L %%L', uuid, name, type), 0)::numeric) AS checksum
    FROM new_columns
    GROUP BY uuid
),
compared AS (
    SELECT
        chunk.uuid,
        chunk.dataset_schema_version_uuid,
        coalesce(old_versions.rows, 0) AS old_rows,
        coalesce(old_versions.columns, 0) AS old_columns,
        coalesce(old_versions.checksum, 0) AS old_checksum,
        coalesce(new_versions.rows, 0) AS new_rows,
        coalesce(new_versions.columns, 0) AS new_columns,
        coalesce(new_versions.checksum, 0) AS new_checksum,
        chunk.dataset_schema_version_uuid IS NULL
        OR (coalesce(new_versions.rows, 0), coalesce(new_versions.checksum, 0))
            <> (coalesce(old_versions.columns, 0), coalesce(old_versions.checksum, 0)) AS differs,
        coalesce(old_versions.is_replaced, false) AS is_replaced,
        held.key IS NOT NULL AS is_in_quarantine,
        known.key IS NOT NULL AS is_accepted
    FROM chunk
    LEFT JOIN old_versions USING (uuid)
    LEFT JOIN new_versions USING (uuid)
    LEFT JOIN migration_quarantine AS held ON held.migration = 'schema-versions' AND held.key = chunk.uuid::text
    LEFT JOIN migration_acceptances AS known
        ON known.migration = held.migration AND known.key = held.key AND known.error = held.error
),
columns_that_differ AS (
    SELECT uuid, name, type, sum(old) > 0 AS is_old, sum(new) AS new
    FROM (
        SELECT uuid, name, type, times AS old, 0 AS new FROM old_columns
        UNION ALL
        SELECT uuid, name, type, 0, times FROM new_columns
    ) AS seen
    WHERE uuid IN (SELECT uuid FROM compared WHERE differs AND NOT is_in_quarantine)
    GROUP BY uuid, name, type
    HAVING (sum(old) > 0)::integer <> sum(new)
),
told AS (
    SELECT
        uuid,
        string_agg(
            format(
                '%%s%%s %%s',
                name,
                ' ' || type,
                CASE
                    WHEN new = 0 THEN 'by the old mapping alone'
                    WHEN is_old THEN 'more than once by the new mapping'
                    ELSE 'by the new mapping alone'
                END
            ),
            ', '
            ORDER BY name COLLATE "C", type COLLATE "C"
        ) AS columns
    FROM columns_that_differ
    GROUP BY uuid
),
set_aside AS (
    INSERT INTO migration_quarantine (migration, key, error)
    SELECT
        'schema-versions',
        uuid::text,
        CASE
            WHEN dataset_schema_version_uuid IS NULL THEN 'It has no schema version'
            ELSE format('Readers see other columns: %%s', told.columns)
        END
    FROM compared
    LEFT JOIN told USING (uuid)
    WHERE differs AND NOT is_in_quarantine
    ON CONFLICT (migration, key) DO NOTHING
),
put_back AS (
    DELETE FROM migration_quarantine AS held
    USING compared
    WHERE held.migration = 'schema-versions' AND held.key = compared.uuid::text AND NOT compared.differs
)
SELECT
    (SELECT uuid::text FROM compared ORDER BY compared.uuid DESC LIMIT 1) AS last,
    count(*) AS versions,
    coalesce(sum(old_rows), 0) AS old_rows,
    coalesce(sum(old_columns), 0) AS old_columns,
    coalesce(sum(old_checksum), 0) AS old_checksum,
    coalesce(sum(new_rows), 0) AS new_columns,
    coalesce(sum(new_checksum), 0) AS new_checksum,
    count(*) FILTER (WHERE old_rows <> old_columns) AS multiplied,
    count(*) FILTER (WHERE is_replaced AND NOT differs) AS replaced,
    count(*) FILTER (WHERE differs AND is_in_quarantine AND NOT is_accepted) AS in_quarantine,
    count(*) FILTER (WHERE differs AND is_accepted) AS accepted,
    count(*) FILTER (WHERE differs AND NOT is_in_quarantine) AS unexplained,
    (array_agg(uuid::text ORDER BY uuid) FILTER (WHERE differs AND NOT is_in_quarantine))[1:5] AS examples
FROM compared;
