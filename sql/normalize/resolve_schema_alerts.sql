-- Alerts of datasets that are no longer true: events that came late have made the verdict another.
UPDATE dataset_schema_alerts AS stored
SET resolved_at = now(), resolution = coalesce(judged.verdict, 'moved')
FROM dataset_schema_alerts AS alert
LEFT JOIN dataset_schema_verdicts AS judged
    ON judged.dataset_uuid = alert.dataset_uuid AND judged.event_order = alert.event_order
WHERE alert.dataset_uuid = ANY (%(datasets)s)
  AND alert.resolved_at IS NULL
  AND judged.verdict IS DISTINCT FROM 'refused'
  AND stored.id = alert.id
