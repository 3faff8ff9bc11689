-- name: edges/are_missing
-- Whether the store has events from before it knew edges.
SELECT NOT EXISTS (SELECT FROM job_version_timeline) AND EXISTS (
    SELECT FROM event_ledger WHERE job_version_uuid IS NOT NULL AND NOT is_purged
)

-- name: edges/make
-- All that model/derive/job_version_timeline and job_edges, column_lineage_inputs and dataset_endings would have kept, from the whole
-- ledger at once: an edge holds over moments in a row.
INSERT INTO job_version_timeline (job_uuid, event_order, run_uuid, job_version_uuid)
SELECT event.job_uuid, event.event_order, event.run_uuid, event.job_version_uuid
FROM event_ledger AS event
WHERE event.job_version_uuid IS NOT NULL
  AND NOT event.is_purged
  AND puts_in_force(
      event.run_uuid,
      event.event_order,
      event.is_complete,
      event.lineage_event_type,
      EXISTS (
          SELECT
          FROM dataset_mentions AS mention
          WHERE mention.run_uuid = event.run_uuid AND mention.event_order = event.event_order
      )
  )
  AND EXISTS (
      SELECT
      FROM dataset_mentions AS mention
      WHERE mention.run_uuid = event.run_uuid AND mention.event_order <= event.event_order
      UNION ALL
      SELECT
      FROM dataset_mentions AS mention
      WHERE event.run_uuid IS NULL AND mention.run_uuid IS NULL AND mention.event_order = event.event_order
  );

INSERT INTO job_edges (job_uuid, role, name_uuid, lineage_uuid, since_event, until_event)
WITH placed AS (
    SELECT
        job_uuid,
        run_uuid,
        event_order,
        row_number() OVER in_order AS number,
        lead(event_order, 1, '\xff') OVER in_order AS next_order
    FROM job_version_timeline
    WINDOW in_order AS (PARTITION BY job_uuid ORDER BY event_order)
),
held AS (
    SELECT DISTINCT
        placed.job_uuid, named.role, named.name_uuid, described.lineage_uuid, placed.event_order, placed.number, placed.next_order
    FROM (SELECT run_uuid, array_agg(event_order) AS event_orders FROM placed GROUP BY run_uuid) AS moment
    CROSS JOIN LATERAL named_datasets(moment.run_uuid, moment.event_orders) AS named
    JOIN placed USING (event_order)
    CROSS JOIN LATERAL (
        SELECT '00000000-0000-0000-0000-000000000000'::uuid AS lineage_uuid
        UNION ALL
        SELECT named.lineage_uuid
        WHERE named.lineage_uuid IS NOT NULL
    ) AS described
),
grouped AS (
    SELECT
        *,
        number - row_number() OVER (PARTITION BY job_uuid, role, name_uuid, lineage_uuid ORDER BY number) AS stretch
    FROM held
)
SELECT
    job_uuid,
    role,
    name_uuid,
    lineage_uuid,
    (array_agg(event_order ORDER BY number))[1],
    (array_agg(next_order ORDER BY number DESC))[1]
FROM grouped
GROUP BY job_uuid, role, name_uuid, lineage_uuid, stretch;

INSERT INTO column_lineage_inputs (lineage_uuid, name_uuid)
SELECT DISTINCT described.uuid, (pair ->> 'dataset')::uuid
FROM dataset_column_lineages AS described
CROSS JOIN LATERAL jsonb_array_elements(described.pairs) AS pair;

-- What a rename was before is in raw events alone: a normalization of their days finds it.
INSERT INTO dataset_endings (name_uuid, event_order)
SELECT DISTINCT mention.name_uuid, mention.event_order
FROM dataset_mentions AS mention
JOIN event_ledger AS event USING (event_order)
WHERE ignoring_case(mention.lifecycle_state) = 'drop'
  AND NOT is_ahead(mention.event_order)
  AND (event.run_uuid IS NULL OR event.is_complete OR lifecycle_rank(event.lineage_event_type) <> ending_rank())
ON CONFLICT DO NOTHING;
