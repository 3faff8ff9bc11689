-- Rendered from openlineage/facets by `lineage sql`: edit that file, not this one.
-- What Marquez calls a facet of a dataset, by its name alone.
CREATE OR REPLACE FUNCTION dataset_facet_type(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN public.ignoring_case(name) IN (
            'columnlineage',
            'datasource',
            'description',
            'documentation',
            'lifecyclestatechange',
            'ownership',
            'schema',
            'version'
        ) THEN 'DATASET'
        WHEN public.ignoring_case(name) IN (
            'dataqualityassertions',
            'dataqualitymetrics'
        ) THEN 'INPUT'
        WHEN public.ignoring_case(name) IN (
            'outputstatistics'
        ) THEN 'OUTPUT'
        ELSE 'UNKNOWN'
    END
$$;
