-- The datasets that an event names, by each name that it gives them: symlinks too. Namespaces as the tables hold them.
CREATE OR REPLACE FUNCTION datasets_of_raw_event(event jsonb) RETURNS TABLE (namespace text, name text)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT public.formatted_namespace(named.dataset ->> 'namespace'), named.dataset ->> 'name'
    FROM (
        SELECT jsonb_path_query(event, '$.inputs[*]')
        UNION ALL
        SELECT jsonb_path_query(event, '$.outputs[*]')
        UNION ALL
        SELECT event -> 'dataset'
    ) AS mention (dataset)
    CROSS JOIN LATERAL (
        SELECT mention.dataset
        UNION ALL
        SELECT jsonb_path_query(mention.dataset, '$.facets.symlinks.identifiers[*]')
    ) AS named (dataset)
    WHERE named.dataset ->> 'namespace' IS NOT NULL AND named.dataset ->> 'name' IS NOT NULL
$$;
