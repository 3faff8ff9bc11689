-- The facets of a job version: those of its table, and those of the raw events, not normalized, of runs that have made it.
-- Which version a run makes that is not in the tables, or an event of a job alone, shows when it is normalized.
-- Agrees with lineage_core.reading.facets_of_job_version, but for events that normalization will refuse.
CREATE OR REPLACE FUNCTION facets_of_job_version(job_version uuid) RETURNS TABLE (
    name text, facet jsonb, lineage_event_time timestamptz, lineage_event_type text, type text, from_raw boolean
)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH waiting AS MATERIALIZED (
        SELECT DISTINCT ON (identity) event, event_time, lineage_event_type
        FROM waiting_events
        WHERE run_uuid = ANY (ARRAY(SELECT uuid FROM runs WHERE job_version_uuid = job_version)) AND kind = 'RUN_EVENT'
        ORDER BY identity, is_ahead
    ),
    found AS (
        SELECT
            stored.name,
            stored.facet,
            stored.lineage_event_time,
            stored.lineage_event_type,
            false AS from_raw
        FROM job_facets AS stored
        WHERE stored.job_version_uuid = job_version
        UNION ALL
        SELECT said.name, said.facet, waiting.event_time, waiting.lineage_event_type, true
        FROM waiting
        CROSS JOIN LATERAL stored_facets(waiting.event #> '{job,facets}') AS said
    )
    SELECT name::text, facet, lineage_event_time, lineage_event_type::text, NULL::text, from_raw
    FROM found
    ORDER BY
        lineage_event_time,
        lifecycle_rank(lineage_event_type),
        coalesce(lineage_event_type, '') COLLATE "C",
        name COLLATE "C",
        CASE
            WHEN count(*) OVER (PARTITION BY lineage_event_time, lineage_event_type, name) > 1
            THEN sha256(convert_to(facet::text, 'UTF8'))
        END;
END
$$;
