-- name: search/window_of_events
-- How many events are looked at together, with the first of them and its time: at most `most` behind a place, with the event of
-- the place itself if some of what it states is left.
SELECT count(*) AS events, (array_agg(event_order ORDER BY event_order))[1] AS first, min(event_time) AS since
FROM (
    SELECT event_order, event_time
    FROM event_ledger
    WHERE event_order <= %(behind)s
      AND (event_order < %(behind)s OR %(behind_kind)s::text <> '')
    ORDER BY event_order DESC
    LIMIT %(most)s
) AS looked

-- name: search/events_looked_at
-- How many events lie from one place to another, and when the first of them was.
SELECT count(*) AS events, (array_agg(event_order ORDER BY event_order))[1] AS first, min(event_time) AS since
FROM event_ledger
WHERE event_order BETWEEN %(first)s AND %(behind)s

-- name: search/facet_values
-- Which datasets, jobs and runs the events of a window give a facet of which a value has a text, or which is larger than
-- `largest` and not taken apart; each by the last of these events that has it, and this one's first value. What is hidden
-- or in the namespace `left_out` is none.
--
-- Most events have sets of facets that others have, too. So each set is taken apart once, and of its facets only the asked one.
-- How many rows a window leads to is not known to the planner: OFFSET 0 keeps it from reading whole tables for them.
WITH looked AS MATERIALIZED (
    SELECT event_order, event_time, run_uuid, job_uuid, run_facets_uuid, job_facets_uuid
    FROM event_ledger
    WHERE event_order BETWEEN %(first)s AND %(behind)s AND NOT is_purged
),

stated AS MATERIALIZED (
    SELECT 'run' AS kind, run_uuid AS uuid, run_facets_uuid AS set_uuid, event_order, event_time
    FROM looked
    WHERE run_uuid IS NOT NULL AND run_facets_uuid IS NOT NULL
    UNION ALL
    SELECT 'job', job_uuid, job_facets_uuid, event_order, event_time
    FROM looked
    WHERE job_uuid IS NOT NULL AND job_facets_uuid IS NOT NULL
    UNION ALL
    SELECT 'dataset', mention.dataset_uuid, listed.set_uuid, mention.event_order, mention.event_time
    FROM (SELECT DISTINCT run_uuid FROM looked WHERE run_uuid IS NOT NULL) AS run
    CROSS JOIN LATERAL (
        SELECT dataset_uuid, facets_uuid, io_facets_uuid, event_order, event_time
        FROM dataset_mentions
        WHERE dataset_mentions.run_uuid = run.run_uuid
          AND event_order BETWEEN %(first)s AND %(behind)s
          AND NOT is_purged
        OFFSET 0
    ) AS mention
    CROSS JOIN LATERAL (VALUES (mention.facets_uuid), (mention.io_facets_uuid)) AS listed (set_uuid)
    WHERE listed.set_uuid IS NOT NULL
    UNION ALL
    SELECT 'dataset', mention.dataset_uuid, listed.set_uuid, looked.event_order, looked.event_time
    FROM looked
    CROSS JOIN LATERAL (
        SELECT dataset_uuid, facets_uuid, io_facets_uuid
        FROM dataset_mentions
        WHERE run_uuid IS NULL AND dataset_mentions.event_order = looked.event_order AND NOT is_purged
        OFFSET 0
    ) AS mention
    CROSS JOIN LATERAL (VALUES (mention.facets_uuid), (mention.io_facets_uuid)) AS listed (set_uuid)
    WHERE looked.run_uuid IS NULL AND listed.set_uuid IS NOT NULL
),

-- Of these facets each run keeps that of its first event alone, and no set has them.
bearing AS (
    SELECT stated.kind, stated.uuid, stated.event_order, stated.event_time, content.uuid AS facet_uuid
    FROM (
        SELECT named.uuid AS set_uuid, facets.uuid
        FROM (SELECT DISTINCT set_uuid FROM stated) AS apart
        CROSS JOIN LATERAL (SELECT uuid, facets FROM facet_sets WHERE facet_sets.uuid = apart.set_uuid OFFSET 0) AS named
        CROSS JOIN LATERAL unnest(named.facets) AS listed (facet_uuid)
        CROSS JOIN LATERAL (
            SELECT uuid FROM facets WHERE facets.uuid = listed.facet_uuid AND name = %(facet)s OFFSET 0
        ) AS facets
    ) AS content
    JOIN stated USING (set_uuid)
    UNION ALL
    SELECT 'run', kept.run_uuid, looked.event_order, looked.event_time, kept.facet_uuid
    FROM looked
    CROSS JOIN LATERAL (
        SELECT run_uuid, facet_uuid
        FROM run_facets_kept_once
        WHERE run_facets_kept_once.run_uuid = looked.run_uuid AND name = %(facet)s
        OFFSET 0
    ) AS kept
),

fitting AS MATERIALIZED (
    SELECT facets.uuid, found.value
    FROM (SELECT DISTINCT facet_uuid FROM bearing) AS asked
    CROSS JOIN LATERAL (SELECT uuid, name, facet FROM facets WHERE facets.uuid = asked.facet_uuid OFFSET 0) AS facets
    CROSS JOIN LATERAL (
        SELECT NULL AS value
        WHERE pg_column_size(facets.facet) > %(largest)s
        UNION ALL
        (
            SELECT left(part.value #>> '{}', %(longest)s)
            FROM (SELECT facets.facet -> facets.name AS facet OFFSET 0) AS content
            CROSS JOIN LATERAL jsonb_path_query(
                CASE jsonb_typeof(content.facet)
                    WHEN 'object' THEN content.facet - ARRAY['_producer', '_schemaURL']
                    ELSE content.facet
                END,
                'strict $.**'
            ) AS part (value)
            WHERE pg_column_size(facets.facet) <= %(largest)s
              AND jsonb_typeof(part.value) IN ('string', 'number', 'boolean')
              AND strpos(lower(part.value #>> '{}' COLLATE "C"), lower(%(text)s::text COLLATE "C")) > 0
            LIMIT 1
        )
    ) AS found
)

SELECT page.kind, page.uuid, shown.namespace, shown.name, page.value, page.event_time, page.event_order
FROM (
    SELECT DISTINCT ON (bearing.kind COLLATE "C", bearing.uuid) bearing.kind, bearing.uuid, fitting.value, bearing.event_time, bearing.event_order
    FROM bearing
    JOIN fitting ON fitting.uuid = bearing.facet_uuid
    WHERE bearing.kind = ANY (%(kinds)s)
      AND (
          bearing.event_order < %(behind)s
          OR (%(behind_kind)s::text <> '' AND (bearing.kind COLLATE "C", bearing.uuid) > (%(behind_kind)s::text, %(behind_uuid)s::uuid))
      )
    ORDER BY bearing.kind COLLATE "C", bearing.uuid, bearing.event_order DESC, fitting.value IS NULL, fitting.value COLLATE "C"
) AS page
CROSS JOIN LATERAL (
    SELECT namespace_name AS namespace, name
    FROM datasets
    WHERE page.kind = 'dataset' AND datasets.uuid = page.uuid AND is_hidden IS FALSE
    UNION ALL
    -- A job that was renamed is shown as what it is called now.
    SELECT known.namespace_name, known.name
    FROM jobs
    JOIN jobs AS known ON known.uuid = coalesce(jobs.symlink_target_uuid, jobs.uuid)
    WHERE page.kind = 'job' AND jobs.uuid = page.uuid AND known.is_hidden IS FALSE
    UNION ALL
    SELECT jobs.namespace_name, jobs.name
    FROM runs
    JOIN jobs ON jobs.uuid = runs.job_uuid
    WHERE page.kind = 'run' AND runs.uuid = page.uuid AND jobs.is_hidden IS FALSE
) AS shown
WHERE shown.namespace IS DISTINCT FROM %(left_out)s
ORDER BY page.event_order DESC, page.kind COLLATE "C", page.uuid
LIMIT %(most)s
