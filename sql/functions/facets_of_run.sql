-- The facets of a run: those of its table, and those of its raw events that are not normalized. Agrees with
-- lineage_core.reading.facets_of_run, but for events that normalization will refuse.
CREATE OR REPLACE FUNCTION facets_of_run(run uuid) RETURNS TABLE (
    name text, facet jsonb, lineage_event_time timestamptz, lineage_event_type text, type text, from_raw boolean
)
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    WITH waiting AS MATERIALIZED (
        SELECT DISTINCT ON (identity) event, event_time, lineage_event_type, is_ahead, identity
        FROM waiting_events
        WHERE run_uuid = run AND kind = 'RUN_EVENT'
        ORDER BY identity, is_ahead
    ),
    found AS (
        SELECT
            stored.name,
            stored.facet,
            stored.event_time AS lineage_event_time,
            stored.lineage_event_type,
            stored.event_order,
            false AS from_raw
        FROM run_facet_contents AS stored
        WHERE stored.run_uuid = run
        UNION ALL
        SELECT
            said.name,
            said.facet,
            waiting.event_time,
            coalesce(waiting.lineage_event_type, ''),
            CASE
                WHEN said.name = 'spark.logicalPlan'
                THEN event_order(waiting.identity, waiting.is_ahead)
            END,
            true
        FROM waiting
        CROSS JOIN LATERAL stored_facets(waiting.event #> '{run,facets}') AS said
    ),
    numbered AS (
        SELECT
            *,
            row_number() OVER (PARTITION BY event_order IS NULL, name ORDER BY event_order) AS number
        FROM found
    )
    SELECT name::text, facet, lineage_event_time, lineage_event_type::text, NULL::text, from_raw
    FROM numbered
    WHERE event_order IS NULL OR number = 1
    ORDER BY
        lineage_event_time, lifecycle_rank(lineage_event_type), lineage_event_type COLLATE "C", name COLLATE "C",
        CASE
            WHEN count(*) OVER (PARTITION BY lineage_event_time, lineage_event_type, name) > 1
            THEN sha256(convert_to(facet::text, 'UTF8'))
        END;
END
$$;
