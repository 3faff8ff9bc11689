-- What Marquez calls a facet of a dataset, by its name alone. Agrees with lineage_core.facets.dataset_facet_type.
CREATE OR REPLACE FUNCTION dataset_facet_type(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN public.ignoring_case(name) IN (
            'documentation', 'description', 'schema', 'datasource', 'lifecyclestatechange', 'version', 'columnlineage',
            'ownership'
        ) THEN 'DATASET'
        WHEN public.ignoring_case(name) IN ('dataqualitymetrics', 'dataqualityassertions') THEN 'INPUT'
        WHEN public.ignoring_case(name) = 'outputstatistics' THEN 'OUTPUT'
        ELSE 'UNKNOWN'
    END
$$;
