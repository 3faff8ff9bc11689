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
