-- Which version each input read: its own, if it was the first to know the dataset, else the one current before its event.
-- moved_reads: inputs of earlier slices that late events have now read another version.
UPDATE slice_mentions AS mention
SET version_uuid = resolved.version_uuid
FROM slice_mentions AS input
CROSS JOIN LATERAL (
    SELECT CASE WHEN stored.event_order = input.event_order THEN input.own_version_uuid ELSE stored.version_uuid END
    FROM dataset_version_timeline AS stored
    WHERE stored.dataset_uuid = input.dataset_uuid
      AND (
          stored.event_order < input.event_order
          OR (stored.event_order = input.event_order AND NOT stored.is_written)
      )
    ORDER BY stored.event_order DESC, stored.is_written DESC
    LIMIT 1
) AS resolved (version_uuid)
WHERE input.role = 1
  AND mention.dataset_uuid = input.dataset_uuid
  AND mention.role = input.role
  AND mention.event_order = input.event_order
  AND mention.version_uuid <> resolved.version_uuid;

CREATE TEMP TABLE moved_reads ON COMMIT DROP AS
SELECT
    input.dataset_uuid,
    input.event_order,
    input.run_uuid,
    input.origin_uuid,
    input.schema_uuid,
    input.mention_id,
    input.version_uuid AS old_version_uuid,
    resolved.version_uuid AS version_uuid
FROM (SELECT dataset_uuid, min(encode(event_order, 'hex')) AS since FROM changed_timelines GROUP BY 1) AS changed
JOIN dataset_mentions AS input
    ON input.dataset_uuid = changed.dataset_uuid
   AND input.role = 1
   AND input.event_order >= decode(changed.since, 'hex')
CROSS JOIN LATERAL (
    SELECT stored.version_uuid
    FROM dataset_version_timeline AS stored
    WHERE stored.dataset_uuid = input.dataset_uuid
      AND (
          stored.event_order < input.event_order
          OR (stored.event_order = input.event_order AND NOT stored.is_written)
      )
    ORDER BY stored.event_order DESC, stored.is_written DESC
    LIMIT 1
) AS resolved
WHERE input.version_uuid <> resolved.version_uuid;

UPDATE dataset_mentions AS input
SET version_uuid = moved.version_uuid
FROM moved_reads AS moved
WHERE input.dataset_uuid = moved.dataset_uuid AND input.role = 1 AND input.event_order = moved.event_order;

INSERT INTO dataset_mentions (
    dataset_uuid, role, event_order, event_time, run_uuid, origin_uuid, version_uuid, schema_uuid, mention_id,
    is_current_at_once
)
SELECT
    dataset_uuid, role, event_order, event_time, run_uuid, origin_uuid, version_uuid, schema_uuid, mention_id,
    is_current_at_once
FROM slice_mentions
WHERE role = 1
ORDER BY dataset_uuid, event_order;
