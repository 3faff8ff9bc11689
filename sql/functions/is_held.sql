-- Whether a raw event is under a legal hold. One about namespaces holds an event whose job is there, and one that names a dataset
-- there; one about a dataset, every event that names it as input, output or itself.
CREATE OR REPLACE FUNCTION is_held(
    event_time timestamptz, namespace text, job_name text, run_uuid uuid, event jsonb
)
RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp
SET standard_conforming_strings = on
AS $$
#variable_conflict use_variable
BEGIN
    RETURN EXISTS (
        SELECT
        FROM retention_holds_in_force AS held
        CROSS JOIN LATERAL (
            SELECT replace(replace(replace(replace(held.namespace_pattern, '\', '\\'), '%', '\%'), '_', '\_'), '*', '%')
        ) AS held_namespaces (fitting)
        WHERE (held.events_since IS NULL OR event_time >= held.events_since)
          AND (held.events_until IS NULL OR event_time < held.events_until)
          AND CASE
              WHEN held.run IS NOT NULL THEN run_uuid = held.run AND namespace LIKE fitting
              WHEN held.job IS NOT NULL THEN job_name = held.job AND namespace LIKE fitting
              WHEN held.dataset IS NULL AND namespace LIKE fitting THEN true
              ELSE EXISTS (
                  SELECT
                  FROM (
                      SELECT jsonb_path_query(event, '$.inputs[*]')
                      UNION ALL SELECT jsonb_path_query(event, '$.outputs[*]')
                      UNION ALL SELECT event -> 'dataset'
                  ) AS mentions (dataset)
                  WHERE dataset ->> 'namespace' LIKE fitting
                    AND (held.dataset IS NULL OR dataset ->> 'name' = held.dataset)
              )
          END
    );
END
$$;
