-- The id of the schema version with these fields: place by place a name and its type. Agrees with
-- lineage_core.schema_versions.schema_version_uuid, as which it takes the formatted namespace, and counts each name with its
-- type once, in any order. Two arrays, so that array_agg() can give them, for many versions in one statement.
CREATE OR REPLACE FUNCTION schema_version_uuid(namespace text, dataset text, names text[], types text[]) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
BEGIN
    IF EXISTS (
        SELECT
        FROM unnest(names, types) AS field (name, type)
        WHERE field.type IS NULL OR strpos(field.name, ':') > 0 OR NOT ends_itself(field.type)
    ) THEN
        RETURN key_uuid(VARIADIC ARRAY['dataset_schema_versions', namespace, dataset] || ARRAY(
            SELECT part.text
            FROM (SELECT DISTINCT name, type FROM unnest(names, types) AS field (name, type)) AS content
            CROSS JOIN LATERAL (VALUES (1, content.name), (2, content.type)) AS part (place, text)
            ORDER BY content.name COLLATE "C", content.type IS NOT NULL, content.type COLLATE "C", part.place
        ));
    END IF;
    RETURN java_uuid(concat(namespace, ':', dataset, ':', (
        SELECT string_agg(
            content.name || ':' || content.type,
            ':'
            ORDER BY utf16_order(content.name) COLLATE "C", utf16_order(content.type) COLLATE "C"
        )
        FROM (SELECT DISTINCT name, type FROM unnest(names, types) AS field (name, type)) AS content
    )));
END
$$;
