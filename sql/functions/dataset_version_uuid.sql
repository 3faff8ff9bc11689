-- The id of the version that a mention of a dataset makes: `said` is the dataset as the event names it, `run` the event's run.
-- Agrees with lineage_core.dataset_descriptions.mentioned_version.
CREATE OR REPLACE FUNCTION dataset_version_uuid(said jsonb, run uuid) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN java_uuid(concat_ws(
        ':',
        said ->> 'namespace',
        coalesce(said #>> '{facets,dataSource,name}', 'default'),
        said ->> 'name',
        said ->> 'name',
        (
            SELECT coalesce(
                string_agg(
                    concat_ws(':', field.name, field.type, field.description),
                    ':'
                    ORDER BY
                        utf16_order(field.name) COLLATE "C",
                        utf16_order(field.type) COLLATE "C" NULLS FIRST,
                        utf16_order(field.description) COLLATE "C" NULLS FIRST
                ),
                ''
            )
            FROM (
                SELECT DISTINCT one ->> 'name' AS name, upper_case(one ->> 'type') AS type, one ->> 'description' AS description
                FROM jsonb_array_elements(
                    CASE jsonb_typeof(said #> '{facets,schema,fields}')
                        WHEN 'array' THEN said #> '{facets,schema,fields}'
                    END
                ) AS one
            ) AS field
        ),
        coalesce(said #>> '{facets,lifecycleStateChange,lifecycleStateChange}', ''),
        run::text
    ));
END
$$;
