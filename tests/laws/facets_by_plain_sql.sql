-- What plain SQL takes out of the raw events, one row a facet, each exact re-post counted once: what a facet describes,
-- the run, time and type of the event, then the facet's type, name and content, as facet tables should have them.
WITH event AS (
    SELECT
        event,
        event_time,
        run_uuid,
        kind,
        CASE kind WHEN 'RunEvent' THEN event ->> 'eventType' END AS event_type,
        row_number() OVER (
            ORDER BY
                event_time,
                CASE WHEN kind <> 'RunEvent' THEN 1 ELSE
                    CASE upper(event ->> 'eventType')
                        WHEN 'START' THEN 0 WHEN 'COMPLETE' THEN 2 WHEN 'FAIL' THEN 2 WHEN 'ABORT' THEN 2 ELSE 1
                    END
                END,
                sha256(convert_to(event::text, 'UTF8'))
        ) AS place_in_order
    FROM (
        SELECT DISTINCT
            event,
            event_time,
            run_uuid,
            CASE substring(event ->> 'schemaURL' FROM '[^/]*$')
                WHEN 'JobEvent' THEN 'JobEvent' WHEN 'DatasetEvent' THEN 'DatasetEvent' ELSE 'RunEvent'
            END AS kind
        FROM lineage_events
    ) AS kept_once
),
named AS (
    SELECT event.*, 'inputFacets' AS more, one AS dataset
    FROM event CROSS JOIN LATERAL jsonb_array_elements(event -> 'inputs') AS one
    WHERE kind <> 'DatasetEvent'
    UNION ALL
    SELECT event.*, 'outputFacets', one
    FROM event CROSS JOIN LATERAL jsonb_array_elements(event -> 'outputs') AS one
    WHERE kind <> 'DatasetEvent'
    UNION ALL
    SELECT event.*, 'outputFacets', event -> 'dataset'
    FROM event
    WHERE kind = 'DatasetEvent'
),
holding AS (
    SELECT 'run' AS owner, 'run' AS place, event #> '{run,facets}' AS facets, run_uuid, event_time,
        coalesce(event_type, '') AS event_type, place_in_order
    FROM event
    WHERE kind = 'RunEvent'
    UNION ALL
    SELECT 'job ' || (event #>> '{job,name}'), 'job', event #> '{job,facets}', run_uuid, event_time, event_type,
        place_in_order
    FROM event
    WHERE kind <> 'DatasetEvent'
    UNION ALL
    SELECT 'dataset ' || (dataset ->> 'name'), 'facets', dataset -> 'facets', run_uuid, event_time, event_type,
        place_in_order
    FROM named
    UNION ALL
    SELECT 'dataset ' || (dataset ->> 'name'), more, dataset -> more, run_uuid, event_time, event_type, place_in_order
    FROM named
)
SELECT
    owner,
    run_uuid,
    event_time,
    event_type,
    CASE
        WHEN place IN ('run', 'job') THEN NULL
        WHEN place = 'inputFacets' THEN 'INPUT'
        WHEN place = 'outputFacets' THEN 'OUTPUT'
        WHEN lower(name) IN (
            'documentation', 'description', 'schema', 'datasource', 'lifecyclestatechange', 'version', 'columnlineage',
            'ownership'
        ) THEN 'DATASET'
        WHEN lower(name) IN ('dataqualitymetrics', 'dataqualityassertions') THEN 'INPUT'
        WHEN lower(name) = 'outputstatistics' THEN 'OUTPUT'
        ELSE 'UNKNOWN'
    END AS type,
    name,
    jsonb_build_object(name, value)::text AS facet
FROM holding
CROSS JOIN LATERAL jsonb_each(CASE jsonb_typeof(facets) WHEN 'object' THEN facets END) AS each (key, value)
CROSS JOIN LATERAL (SELECT CASE key WHEN 'parentRun' THEN 'parent' ELSE key END AS name) AS kept
WHERE value <> 'null' AND lower(key) <> 'spark_unknown'
  AND (
      (place, key) <> ('run', 'spark.logicalPlan')
      OR NOT EXISTS (
          SELECT
          FROM holding AS earlier
          WHERE earlier.place = 'run'
            AND earlier.run_uuid = holding.run_uuid
            AND earlier.place_in_order < holding.place_in_order
            AND earlier.facets -> 'spark.logicalPlan' <> 'null'
      )
  )
