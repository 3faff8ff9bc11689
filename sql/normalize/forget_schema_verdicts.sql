-- Verdicts on what is no longer in the timeline of its dataset.
DELETE FROM dataset_schema_verdicts AS stored
WHERE stored.dataset_uuid = ANY (%(datasets)s)
  AND NOT EXISTS (
      SELECT
      FROM dataset_version_timeline AS place
      WHERE place.dataset_uuid = stored.dataset_uuid AND place.event_order = stored.event_order AND place.is_written
  )
