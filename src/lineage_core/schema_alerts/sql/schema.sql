-- name: views/dataset_schema_alerts_open
-- The alerts of schema changes that are neither resolved nor acknowledged since they were raised.
-- readers: `lineage status`, `lineage doctor` and whoever looks after datasets
-- reads: dataset_schema_alerts, datasets
-- open to operators: it shows people what they themselves have set
CREATE VIEW dataset_schema_alerts_open AS
SELECT alert.*, dataset.namespace_name AS dataset_namespace, dataset.name AS dataset_name
FROM dataset_schema_alerts AS alert
JOIN datasets AS dataset ON dataset.uuid = alert.dataset_uuid
WHERE alert.resolved_at IS NULL AND (alert.acknowledged_at IS NULL OR alert.acknowledged_at < alert.raised_at);

COMMENT ON VIEW dataset_schema_alerts_open IS 'The alerts of schema changes that are neither resolved nor acknowledged.';
